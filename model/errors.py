"""What a person can cause, as a code and values; the English sentence of each code stands here and nowhere else."""

import reprlib

from model.records import Note

SENTENCES = {
    # What was typed.
    "nothing": "There is nothing to translate: type a sentence.",
    "target_empty": "The given translation is empty: type one, or let the model find its own.",
    "target_long": "The given translation has {count} pieces; this model reads at most {limit}.",
    "surrogate": "The text holds half a surrogate pair, which is no character.",
    "too_long": "This model reads at most {limit} pieces.",
    "order": "An order has every number from 1 to {count} once, with spaces between.",
    "improbable": "The model gives these words no probability at all.",
    "after_end": "Nothing can follow the end of a sentence.",
    "padding": "A translation holds no padding and no second beginning: choose another piece.",
    "piece_unknown": "There is no piece {id}; the vocabulary has {count}.",
    "prefix_long": "The translation is to begin with {count} pieces; of this sentence it has at most {limit}, the end "
    "included.",
    # Options.
    "method_unknown": "There is no method called {method!r}: choose one of {methods}.",
    "temperature": "The temperature is {value}; it must be a number above 0.",
    "top_k": "Top-k is {value}; it must be at least 1, or 0 for all pieces.",
    "device_unknown": "There is no device called {name!r}: choose auto, cpu, cuda or mps.",
    "device_missing": "This machine has no {name} that PyTorch can use: choose auto or cpu.",
    "beam_narrow": "The beam is {beam}; it must be at least 1.",
    "beam_wide": "The beam is {beam}; at most {most} is possible.",
    # Notes.
    "full": "The {device} device has no room for the model; the CPU does the work.",
    "full_sentence": "The {device} device had no room for this sentence; the CPU did the work.",
    # Files of a checkpoint.
    "checkpoint_missing": "There is no checkpoint in {folder}: it needs {weights}, {config} and {tokenizer}.",
    "checkpoint_incomplete": "The checkpoint in {folder} is incomplete: {name} is missing.",
    "checkpoint_unreadable": "The checkpoint in {folder} cannot be read: {reason}",
    "not_json": "{name} in {folder} is not JSON: {reason}",
    "not_object": "{name} in {folder} must hold a JSON object.",
    "format": "{name} in {folder} has format {found!r}; this version of Regard reads format {known}.",
    "no_model": "{name} in {folder} does not describe a model: {reason}",
    "other_vocabulary": "{name} in {folder} has {found} pieces but the model {wanted}: they come from different "
    "checkpoints.",
    "weights_damaged": "{name} in {folder} is damaged or of another model: {reason}",
    "weights_not_finite": "{name} in {folder} holds numbers that are not finite.",
    "file_not_plain": "{name} in {folder} is no file that can be read.",
    "file_large": "{name} in {folder} has more than {most:,} bytes, the most that Regard reads.",
    "not_as_made": "{names} in {folder} is not what was made there: its checksum is another than that in {sums}. Get "
    "the folder anew; or, if you changed it yourself, run python -m model.checkpoint {folder}.",
    "checksums_lack": "{name} in {folder} has no checksum of {names}.",
    "other_specials": "{name} and {config} in {folder} give <pad>, <s> and </s> different numbers: they come from "
    "different checkpoints.",
    "not_finite": "The model computes numbers that are not finite: its weights are damaged, or of another model.",
    "no_transformer": "The model in {folder} is of the kind {kind}; this page needs a Transformer there.",
    "other_shape": "The model of {name} has another shape: {reason}",
    "checkpoints_differ": "The checkpoints have different shapes or vocabularies: their mean is no model.",
    "metrics_lack": "The metrics of the checkpoints lack {names}.",
    "not_training_state": "{path} is not a training state: {reason}",
    "not_vocabulary": "{name} is not a vocabulary that Regard can read: {reason}",
    "vocabulary_lacks": "The vocabulary lacks one of {pieces}.",
    "vocabulary_ids": "the numbers of its pieces are not 0 to {last}",
    "vocabulary_cuts": "it does not cut a text as Regard does, into pieces that make the same text again",
    "vocabulary_fails": "The vocabulary failed at this text: {reason}",
    # Settings of a model.
    "kind_unknown": "This version of Regard does not know the kind of model {kind!r}.",
    "settings_unknown": "This version of Regard does not know the setting(s) {names}.",
    "setting_missing": "The setting {name} is missing.",
    "setting_not_one_of": "{name} is {value!r}; it must be one of {choices}.",
    "setting_not_number": "{name} is {value!r}; it must be a number.",
    "setting_above": "{name} is {value}; it must be at most {most}.",
    "setting_below": "{name} is {value}; it must be at least {least}.",
    "setting_no_share": "{name} is {value}; it must be at least 0 and below 1.",
    "heads_divide": "d_model {width} cannot be divided among {heads} heads.",
    "directions_divide": "d_model {width} cannot be divided between two directions.",
    "width_odd": "Sinusoidal positions need an even d_model; {width} is odd.",
    "special_ids": "pad_id, bos_id and eos_id must be three different ids of the vocabulary.",
    # Files of texts and links.
    "not_text": "{name} is not UTF-8 text: {reason}",
    "not_gzip": "{name} is no whole gzip file: {reason}",
    "file_empty": "{name} is empty.",
    "line_fields": "Line {line} of {name} has {count} fields; it needs source<TAB>target.",
    "line_no_tab": "Line {line} of {name} has no tab; it needs source<TAB>reference.",
    "line_side_empty": "Line {line} of {name} has an empty side.",
    "gold_unreadable": "The pairs aligned by hand cannot be read: {reason}",
    "gold_lines": "{name} has {lines} lines but its .gold file {links}.",
    "no_training_data": "There is no training data in {folder}.",
    "contrast_fields": "Line {line} of {name} has {count} fields; it needs {columns}.",
    "contrast_pattern": "Line {line} of {name} has no regular expression: {reason}",
    "contrast_pairs": "{name} needs two lines of one kind for each pair.",
    "gold_fields": "Line {line} of {name} has {count} fields; it needs source, target and links.",
    "gold_link": "Line {line} of {name} has the link {link!r}; a link is i-j or ipj.",
    "gold_link_outside": "Line {line} of {name} has the link {link!r}, but its sides have {source} and {target} words.",
    "pairs_too_long": "There is no pair that the model can read whole.",
    "no_alignment": "{name} has no attention to read an alignment off.",
    # Preparing and training.
    "no_recipe": "{name} is no recipe: {reason}",
    "recipe_target": "target in {name} must be one of {choices}.",
    "recipe_vocabulary": "vocabulary must be between 300 and 1,000,000: 259 entries are taken by bytes and specials.",
    "corpora_alike": "Two corpora of {name} have one name.",
    "corpora_untested": "No corpus of {name} has `test = true`.",
    "corpus_setting": "{name} of a corpus must be of type {kind}, not {value!r}.",
    "corpus_name": "The name of a corpus is made of a-z, 0-9 and -; this one is {name!r}.",
    "pairs_missing": "Too few usable pairs: none for {names}. Nothing was written.",
    "option_range": "{name} is {value}; it must lie between {low:g} and {high:g}.",
    "data_unprepared": "There is no prepared data in {folder}: run python -m model.prepare first.",
    "corpora_missing": "{folder} has no {names}.",
    "pairs_few": "{folder} has too few pairs of at most {longest} pieces for {processes} process(es).",
    "run_begun": "The run in {folder} was begun with {option} {was}, not {now}: go on with that, or give another "
    "--out.",
    "run_of_another": "{folder} holds a run of another model: give the same --config, or another --out.",
}
"""By code, with {placeholders} for the values. An interface in another language has its own sentences for the codes."""


LONGEST = 400
"""Characters of a value in a sentence: a damaged file can have anything in the place of a number."""


def short(value: object) -> object:
    """The value, or its beginning as text."""
    if isinstance(value, list | dict):
        return reprlib.repr(value)
    if isinstance(value, UserError) or len(text := str(value)) <= LONGEST:
        return value
    return text[: LONGEST - 1] + "\u2026"


class UserError(ValueError):
    """Something that a person typed, chose or put into a file, and can put right. str() is the English sentence."""

    def __init__(self, code: str, /, **values: object) -> None:
        """A value may be another UserError: the reason of this one."""
        super().__init__(code)
        self.code, self.values = code, {name: short(value) for name, value in values.items()}

    def __str__(self) -> str:
        return SENTENCES[self.code].format(**self.values)


def note(code: str, /, **values: object) -> Note:
    """Something to say with a result that is no error."""
    return Note(code=code, values=values, english=SENTENCES[code].format(**values))
