import type { SiteOverview } from '@opensocial/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { FactsSkeleton } from '../../../patterns/facts/facts.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { FormWarning } from '../../../patterns/form/form-warning.tsx';
import { ApplicationGuide } from '../oidc/application-guide.tsx';
import { ClientFacts } from '../oidc/client-facts.tsx';
import { ClientSecrets } from '../oidc/client-secrets.tsx';
import { oidcClientQuery } from '../oidc/sites.oidc.api.ts';
import { findRecipe, protocolNames } from '../recipes/recipes.ts';
import { SamlGuide } from '../saml/saml-guide.tsx';
import { subscriberQuery } from '../sites.api.ts';
import { ProviderValues } from '../sso/provider-values.tsx';
import { SsoSection } from '../sso/sso-section.tsx';
import { toConnectStep } from './connect.links.ts';
import { useConnect } from './connect-context.ts';
import { StepButtons } from './step-buttons.tsx';
import { useConnectedSite } from './use-connected-site.tsx';

/** An application that gets such an address has to be set up again when the server gets its real one. */
const isOnThisMachine = /^(localhost|127\.|\[::1\])/.test(window.location.hostname);

/** The third step: what to enter in the application. */
export function ValuesStep() {
  const network = useAdminNetwork();
  const navigate = useNavigate();
  const { site, overview, app, placeholder } = useConnectedSite();
  if (!site) return placeholder;
  return (
    <div className={formClasses.form}>
      <h2 className={formClasses.heading}>{site.site_name}</h2>
      <p className={formClasses.hint}>
        {findRecipe(app)
          ? 'The site is registered. Now set up the application. Its configuration below contains all values of this site.'
          : 'The site is registered. Now the application must know our side: open its settings in another tab and enter these values there.'}
      </p>
      {isOnThisMachine && (
        <FormWarning>
          {`The address of this server, ${window.location.origin}, works on this machine only, and it is part of the values below. Before you connect applications, PUBLIC_URL of the server has to be set to the address that people will use.`}
        </FormWarning>
      )}
      {overview.protocol === 'saml' ? (
        <SamlValues overview={overview} app={app} />
      ) : (
        <OidcValues id={overview.id} app={app} />
      )}
      <StepButtons
        action="Continue"
        onContinue={() => void navigate(toConnectStep(network.name, site.id, 'people', app))}
      />
    </div>
  );
}

type SamlValuesProps = { overview: SiteOverview; app: string };

function SamlValues({ overview, app }: SamlValuesProps) {
  const network = useAdminNetwork();
  const { data: site } = useQuery(subscriberQuery(network, overview.id));
  return (
    <InOrder
      app={app}
      guide={site && <SamlGuide site={site} overview={overview} initial={app} />}
      values={<ProviderValues overview={overview} />}
    />
  );
}

type OidcValuesProps = { id: number; app: string };

function OidcValues({ id, app }: OidcValuesProps) {
  const { made, onSecret } = useConnect();
  const { data: client } = useQuery(oidcClientQuery(id));
  if (!client) return <FactsSkeleton label="Loading the values" lines={4} />;
  const usesSecret = client.authentication === 'secret';
  const secret = usesSecret && made.siteId === id ? made.secret : '';
  return (
    <InOrder
      app={app}
      guide={<ApplicationGuide client={client} secret={secret} initial={app} />}
      values={<ClientFacts client={client} />}
      secrets={
        usesSecret && (
          <ClientSecrets client={client} secret={secret} onMade={(next) => onSecret({ siteId: id, secret: next })} />
        )
      }
    />
  );
}

type InOrderProps = { app: string; guide: ReactNode; values: ReactNode; secrets?: ReactNode };

/** Whether the person has said that the application is none of the recipes. */
const isOwnApplication = (app: string): boolean => Object.hasOwn(protocolNames, app);

/** The configuration of a recipe has all values, so it comes first. For another application, the values do. */
function InOrder({ app, guide, values, secrets }: InOrderProps) {
  if (findRecipe(app))
    return (
      <>
        {guide}
        <SsoSection title="The same values, one by one">{values}</SsoSection>
        {secrets}
      </>
    );
  return (
    <>
      <SsoSection title="Enter these in your application">{values}</SsoSection>
      {secrets}
      {!isOwnApplication(app) && guide}
    </>
  );
}
