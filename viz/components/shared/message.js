// @ts-check
// The message of viz/components/__init__.py taken apart: header length, header (JSON), numbers.

/**
 * Header and numbers, which are still deflated if the header says so.
 * @param {Uint8Array} data - 4 bytes of header length, little-endian, the header, the numbers
 * @returns {[any, Uint8Array]}
 */
export function readMessage(data) {
  const size = new DataView(data.buffer, data.byteOffset, 4).getUint32(0, true);
  return [JSON.parse(new TextDecoder().decode(data.subarray(4, 4 + size))), data.subarray(4 + size)];
}

/** @param {Uint8Array} bytes */
export async function inflate(bytes) {
  const stream = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * Header and numbers of a mount's message, which start where a Float32Array may start; null if a newer message has come
 * in meanwhile. Its words are taken at once: there is a sentence even if the numbers cannot be read.
 * @param {{ sequence: number, texts?: any }} ui
 * @param {Uint8Array} data
 * @returns {Promise<{ header: any, bytes: Uint8Array } | null>}
 */
export async function openMessage(ui, data) {
  const { sequence } = ui;
  const [header, body] = readMessage(data);
  ui.texts = header.texts;
  const bytes = header.deflated ? await inflate(body) : body.slice();
  return sequence === ui.sequence ? { header, bytes } : null;
}
