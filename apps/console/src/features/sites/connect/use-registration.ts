import type { OidcSiteDraft, SiteDraft } from '@opensocial/contract';
import { useMutation } from '@tanstack/react-query';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { useNavigateFromHere } from '../../../patterns/links/use-navigate-from-here.ts';
import { afterSaving } from '../../../patterns/side-panel/unsaved-guard.tsx';
import { addOidcSite } from '../oidc/sites.oidc.api.ts';
import { addSite } from '../sites.api.ts';
import { toConnectStep } from './connect.links.ts';
import { useConnect } from './connect-context.ts';
import { blankDraft, storeDraft } from './connect-draft.ts';

type Handlers = { onError?: (error: Error) => void };

/** Registers the site, and goes on with the values that the application needs. */
export const useRegistration = () => {
  const network = useAdminNetwork();
  const navigate = useNavigateFromHere();
  const { draft, onSecret } = useConnect();
  const saml = useMutation(addSite(network));
  const oidc = useMutation(addOidcSite(network));
  const goOn = (id: number, secret: string) => {
    onSecret({ siteId: id, secret });
    // The draft on the screen stays until the next step is loaded: without it, this one would lead back to the first.
    storeDraft(network.id, blankDraft);
    // The address of the new step replaces the form, so that the way back does not register the site twice.
    void navigate(toConnectStep(network.name, id, 'values', draft.recipe), { replace: true, ...afterSaving });
  };
  return {
    isBusy: saml.isPending || oidc.isPending,
    error: saml.error ?? oidc.error,
    registerSaml: (site: SiteDraft, handlers: Handlers = {}) =>
      saml.mutate(site, { ...handlers, onSuccess: ({ id }) => goOn(id, '') }),
    registerOidc: (site: OidcSiteDraft, handlers: Handlers = {}) =>
      oidc.mutate(site, { ...handlers, onSuccess: ({ id, secret }) => goOn(id, secret) }),
  };
};
