import { useLocation } from 'react-router';
import { useNavigateFromHere } from '../links/use-navigate-from-here.ts';

/** Returns from an assign view to the list of members, unless somebody has gone elsewhere during the assignment. */
export const useReturnToMembers = (): (() => void) => {
  const navigate = useNavigateFromHere();
  const { search } = useLocation();
  return () => void navigate({ pathname: '..', search }, { relative: 'path' });
};
