// The message from Python, taken apart.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import { openMessage, readMessage } from "../../viz/components/shared/message.js";

/** As viz/components/__init__.py packs it, but at an odd place of a larger buffer, as Streamlit hands it over. */
function packed(header, body) {
  const head = new TextEncoder().encode(JSON.stringify(header));
  const all = new Uint8Array(3 + 4 + head.length + body.length);
  new DataView(all.buffer).setUint32(3, head.length, true);
  all.set(head, 7);
  all.set(body, 7 + head.length);
  return all.subarray(3);
}

test("header and numbers come out as they went in", () => {
  const header = { texts: { a: "<b>é🙂</b>" }, deflated: false };
  const [read, body] = readMessage(packed(header, [1, 2, 255]));
  assert.deepEqual(read, header);
  assert.deepEqual([...body], [1, 2, 255]);
});

for (const deflated of [false, true]) {
  test(`numbers ${deflated ? "that were deflated " : ""}start where floats may start`, async () => {
    const floats = Float32Array.from([0.25, -Infinity, 3]);
    const bytes = new Uint8Array(floats.buffer);
    const ui = { sequence: 1 };
    const message = await openMessage(
      ui,
      packed({ texts: { a: "b" }, deflated }, deflated ? deflateSync(bytes) : bytes),
    );
    assert.equal(message.bytes.byteOffset, 0);
    assert.deepEqual(new Float32Array(message.bytes.buffer), floats);
    assert.deepEqual(ui.texts, { a: "b" });
  });
}

test("an older message is dropped when a newer one has come in meanwhile", async () => {
  const ui = { sequence: 1 };
  const old = openMessage(ui, packed({ deflated: true }, deflateSync(Uint8Array.of(1))));
  ui.sequence = 2;
  const young = openMessage(ui, packed({ deflated: true }, deflateSync(Uint8Array.of(2))));
  assert.equal(await old, null);
  assert.deepEqual([...(await young).bytes], [2]);
});

test("numbers that cannot be inflated are an error, and the words are there to say so", async () => {
  const ui = { sequence: 1 };
  await assert.rejects(openMessage(ui, packed({ texts: { failed: "sorry" }, deflated: true }, [1, 2, 3])));
  assert.equal(ui.texts.failed, "sorry");
});
