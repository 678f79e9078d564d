import { use } from 'react';
import { type NavigateFunction, UNSAFE_DataRouterContext, useLocation, useNavigate } from 'react-router';

/**
 * For navigation at the end of slow work: does nothing if somebody has gone elsewhere, or is about to. The router itself is asked, because hooks
 * tell only what was rendered last: while the script of the next screen loads, this one is still shown, and its own navigation would cancel the
 * other one.
 */
export const useNavigateFromHere = (): NavigateFunction => {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const router = use(UNSAFE_DataRouterContext)?.router;
  const isElsewhere = () =>
    router !== undefined && (router.state.navigation.state !== 'idle' || router.state.location.pathname !== pathname);
  return ((...to: Parameters<NavigateFunction>) => (isElsewhere() ? undefined : navigate(...to))) as NavigateFunction;
};
