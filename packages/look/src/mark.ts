/** The brand mark: an open ring with a dot in the opening. The ring is a stroke with round ends, the dot a fill. */
export const mark = {
  viewBox: '0 0 24 24',
  ring: { d: 'M12 2A10 10 0 1 0 22 12', strokeWidth: 4 },
  dot: { cx: 19, cy: 5, r: 3 },
} as const;
