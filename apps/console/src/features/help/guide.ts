/** A part of a text. A name is what is written on the screen, such as that of a button. */
export type GuideSpan = { kind: 'text' | 'name' | 'code'; text: string } | { kind: 'link'; text: string; href: string };

export type GuideHeading = { kind: 'heading'; level: 2 | 3; id: string; text: string };

export type GuideBlock =
  | GuideHeading
  | { kind: 'paragraph'; spans: GuideSpan[] }
  | { kind: 'list'; isOrdered: boolean; items: GuideSpan[][] }
  | { kind: 'table'; head: GuideSpan[][]; rows: GuideSpan[][][] };

export type Guide = { title: string; blocks: GuideBlock[] };
