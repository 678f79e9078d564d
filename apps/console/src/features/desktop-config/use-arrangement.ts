import { ApiError } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../api/transport/error-text.ts';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { showFault } from '../../patterns/toast/show-fault.tsx';
import { type Place, withPlaced } from './arrangement.ts';
import { saveArrangement, showArrangement } from './desktop-config.api.ts';

/** The message about a failed save. The previous arrangement has been restored by then. */
const faultOf = (error: unknown): string => {
  if (!(error instanceof ApiError)) return `${errorText(error)} The app was moved back.`;
  if (error.code === 'desktop_changed') return errorText(error);
  if (error.code === 'not_found') return 'One of the apps was deleted in the meantime. The desktop was reloaded.';
  return `${errorText(error)} The app was moved back.`;
};

/** Moves an app: shown at once, then saved (optimistic update). */
export const useArrangement = (network: NetworkRef) => {
  const saving = useMutation({ ...saveArrangement(network), onError: (error) => showFault(faultOf(error)) });
  const arrange = (id: number, place: Place): void => {
    const before = showArrangement(network, (shown) => withPlaced(shown, id, place));
    if (before) saving.mutate(before);
  };
  return { arrange, state: saving.status };
};
