import type { DesktopApp } from '@opensocial/contract';
import { IconStar, IconStarFilled } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import classes from './favourite-star.module.css';

export type Favourites = {
  ids: ReadonlySet<number>;
  onChoose: (choice: { id: number; favourite: boolean }) => void;
};

type FavouriteStarProps = {
  app: Pick<DesktopApp, 'id' | 'name'>;
  favourites: Favourites;
  /** Whether the tile is in the section of favourites, which it leaves when it is no favourite any more. */
  isListed: boolean;
};

/** Makes an app a favourite or not. Beside the link of the tile, because a link cannot contain a button. */
export function FavouriteStar({ app: { id, name }, favourites: { ids, onChoose }, isListed }: FavouriteStarProps) {
  const isFavourite = ids.has(id);
  const StarIcon = isFavourite ? IconStarFilled : IconStar;
  const handleClick = ({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) => {
    // A click by keyboard has no detail. The page does not scroll below the pointer of a mouse.
    if (isListed) starBeside(currentTarget)?.focus({ preventScroll: detail > 0 });
    onChoose({ id, favourite: !isFavourite });
  };
  return (
    <button
      type="button"
      className={classes.star}
      aria-pressed={isFavourite}
      aria-label={isFavourite ? `Remove ${name} from favourites` : `Add ${name} to favourites`}
      data-app={id}
      onClick={handleClick}
    >
      <StarIcon size={17} stroke={1.8} aria-hidden="true" />
    </button>
  );
}

/** The star that gets the focus when another one disappears: of the next or previous favourite, otherwise of the same app among all apps. */
const starBeside = (star: HTMLButtonElement): HTMLButtonElement | undefined => {
  const stars = [...(star.closest('ul')?.querySelectorAll('button') ?? [])];
  const index = stars.indexOf(star);
  const ofSameApp = document.querySelectorAll<HTMLButtonElement>(`button[data-app="${star.dataset['app']}"]`);
  return stars[index + 1] ?? stars[index - 1] ?? [...ofSameApp].at(-1);
};
