/** A text to paste into a file or a shell. */
type ConfigurationText = { title: string; text: string };

/** Values to enter in the settings of the application. The title says where they are. */
type ConfigurationFields = { title: string; fields: readonly (readonly [label: string, value: string])[] };

export type ConfigurationPart = ConfigurationText | ConfigurationFields;

/** The name of this service in the configuration of applications, which is part of some addresses. */
export const providerName = 'opensocial';

export const providerLabel = 'OpenSocial';

/** The path of an application below its host, without a slash at the end: empty for an application at the root. */
export const pathOf = (base: string): string => URL.parse(base)?.pathname.replace(/\/+$/, '') ?? '';

export const linesOf = (...lines: string[]): string => `${lines.join('\n')}\n`;
