/** A named colour. `hex` is '#rrggbb' in lower case. */
type NamedColour = { name: string; hex: string };

export type ColourGroup = { name: string; columns: number; colours: readonly NamedColour[] };

/** §9: 21 base colours, 14 dark, 9 light and 8 gray, in even steps of lightness, so that any two go together. */
export const palette: readonly ColourGroup[] = [
  {
    name: 'Base',
    columns: 7,
    colours: [
      { name: 'Rose', hex: '#d1375c' },
      { name: 'Red', hex: '#c92f30' },
      { name: 'Coral', hex: '#de5834' },
      { name: 'Orange', hex: '#e16c1a' },
      { name: 'Amber', hex: '#e7911b' },
      { name: 'Gold', hex: '#e6b22d' },
      { name: 'Lemon', hex: '#e7d438' },
      { name: 'Lime', hex: '#89af11' },
      { name: 'Leaf', hex: '#559b33' },
      { name: 'Green', hex: '#1f8b41' },
      { name: 'Emerald', hex: '#15976a' },
      { name: 'Petrol', hex: '#0f766e' },
      { name: 'Lagoon', hex: '#05888d' },
      { name: 'Cyan', hex: '#02a3c0' },
      { name: 'Sky', hex: '#069bd4' },
      { name: 'Azure', hex: '#177dd1' },
      { name: 'Blue', hex: '#225fd7' },
      { name: 'Indigo', hex: '#4d4ac8' },
      { name: 'Violet', hex: '#794bd5' },
      { name: 'Orchid', hex: '#ac4abb' },
      { name: 'Pink', hex: '#d7488e' },
    ],
  },
  {
    name: 'Dark',
    columns: 7,
    colours: [
      { name: 'Wine', hex: '#6a1d2d' },
      { name: 'Maroon', hex: '#6d1b1c' },
      { name: 'Rust', hex: '#733216' },
      { name: 'Umber', hex: '#5f3813' },
      { name: 'Bronze', hex: '#63480d' },
      { name: 'Olive', hex: '#494c0f' },
      { name: 'Forest', hex: '#244a21' },
      { name: 'Pine', hex: '#134834' },
      { name: 'Lake', hex: '#014a48' },
      { name: 'Ocean', hex: '#024961' },
      { name: 'Navy', hex: '#13396d' },
      { name: 'Midnight', hex: '#29266e' },
      { name: 'Aubergine', hex: '#482767' },
      { name: 'Mulberry', hex: '#642352' },
    ],
  },
  {
    name: 'Light',
    columns: 9,
    colours: [
      { name: 'Blush', hex: '#fee6e8' },
      { name: 'Peach', hex: '#feeae0' },
      { name: 'Butter', hex: '#fff1cc' },
      { name: 'Pistachio', hex: '#e6f7d4' },
      { name: 'Mint', hex: '#dbf9e6' },
      { name: 'Seafoam', hex: '#d5f7f3' },
      { name: 'Ice', hex: '#dbf5ff' },
      { name: 'Powder', hex: '#e2eeff' },
      { name: 'Lavender', hex: '#ede7fe' },
    ],
  },
  {
    name: 'Gray',
    columns: 8,
    colours: [
      { name: 'White', hex: '#ffffff' },
      { name: 'Mist', hex: '#eef1f5' },
      { name: 'Cloud', hex: '#dfe5ec' },
      { name: 'Silver', hex: '#c2cbd8' },
      { name: 'Steel', hex: '#8391a6' },
      { name: 'Slate', hex: '#56657c' },
      { name: 'Graphite', hex: '#2a3850' },
      { name: 'Ink', hex: '#0b1220' },
    ],
  },
];
