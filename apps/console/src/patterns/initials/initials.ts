import { initialOf } from '@opensocial/look/initial';

/** 'Ana Lucía Moreno' → 'AM'. */
export const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined];
  return [first, last].map((word) => (word ? initialOf(word) : '')).join('');
};
