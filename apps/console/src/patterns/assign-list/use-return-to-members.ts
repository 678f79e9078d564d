import { useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';

/**
 * Returns from an assign view to the list of members. It does nothing if the view was left meanwhile: an assignment may take a while, and must
 * not take people away from where they went.
 */
export const useReturnToMembers = (): (() => void) => {
  const navigate = useNavigate();
  const { search } = useLocation();
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => {
    if (isShown.current) void navigate({ pathname: '..', search }, { relative: 'path' });
  };
};
