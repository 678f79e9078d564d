/**
 * Values are written into files and commands that administrators paste, so each format has its own quoting. The values are addresses, ids
 * and secrets: none of them has a control character or a line break, so those are left out everywhere.
 */
const toLine = (value: string): string => value.replaceAll(/\p{Cc}|[\u2028\u2029]/gu, '');

/** A string of YAML in double quotes, which is also one of JSON. */
export const yamlText = (value: string): string => JSON.stringify(toLine(value));

/** The same in a compose file, in which a dollar sign begins a variable. */
export const composeText = (value: string): string => yamlText(value).replaceAll('$', '$$$$');

/** A basic string of TOML has the escapes of JSON. */
export const tomlText = (value: string): string => JSON.stringify(toLine(value));

/** A word of a POSIX shell. */
export const shellText = (value: string): string => `'${toLine(value).replaceAll("'", String.raw`'\''`)}'`;

/** A string of Ruby, PHP or Python in single quotes, in which nothing is interpolated. */
export const singleQuoted = (value: string): string => `'${toLine(value).replaceAll(/[\\']/g, String.raw`\$&`)}'`;

/**
 * A value of an INI file. Characters that begin a comment, a variable or a quotation cannot be escaped in the same way by every program, so
 * they are percent-encoded; no address, id or secret contains them as they are.
 */
export const iniText = (value: string): string =>
  toLine(value)
    .trim()
    .replaceAll(/[`"'#;$%\\]/g, encodeCharacter);

/** An argument of an Apache directive. Apache replaces `${NAME}` also between quotes. */
export const apacheText = (value: string): string =>
  `"${toLine(value).replaceAll('$', encodeCharacter).replaceAll(/[\\"]/g, String.raw`\$&`)}"`;

/** The text of an XML element or attribute. */
export const xmlText = (value: string): string =>
  toLine(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Also encodes the apostrophe, which `encodeURIComponent` leaves. */
const encodeCharacter = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
