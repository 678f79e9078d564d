import { FigmaCategory, IconCategory, type IconEntry } from '@phosphor-icons/core';

/** Maps the categories of Phosphor to those of Font Awesome, which the library shows. */
const byCategory: Record<IconCategory, string[]> = {
  [IconCategory.ARROWS]: ['arrows'],
  [IconCategory.BRAND]: ['social'],
  [IconCategory.COMMERCE]: ['shopping'],
  [IconCategory.COMMUNICATION]: ['communication'],
  [IconCategory.DESIGN]: ['design'],
  [IconCategory.DEVELOPMENT]: ['coding'],
  [IconCategory.EDITOR]: ['editing', 'text-formatting'],
  [IconCategory.FINANCE]: ['money'],
  [IconCategory.GAMES]: ['gaming'],
  [IconCategory.HEALTH]: ['medical-health'],
  [IconCategory.MAP]: ['maps', 'travel-hotel'],
  [IconCategory.MEDIA]: ['media-playback', 'music-audio'],
  [IconCategory.NATURE]: ['nature'],
  [IconCategory.OBJECTS]: ['household'],
  [IconCategory.OFFICE]: ['business'],
  [IconCategory.PEOPLE]: ['users-people'],
  [IconCategory.SYSTEM]: ['devices-hardware'],
  [IconCategory.WEATHER]: ['weather'],
};

/** Maps Phosphor's second classification where it is more precise. */
const byFigmaCategory: Partial<Record<FigmaCategory, string[]>> = {
  [FigmaCategory.EDUCATION]: ['education'],
  [FigmaCategory.SECURITY]: ['security', 'alert'],
  [FigmaCategory.TIME]: ['time'],
};

export const categoriesOf = ({ categories, figma_category }: IconEntry): string[] => [
  ...categories.flatMap((category) => byCategory[category]),
  ...(byFigmaCategory[figma_category] ?? []),
];
