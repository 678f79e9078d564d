import type { SiteProtocol } from '@opensocial/contract';
import { Fact, Facts } from '../../../patterns/facts/facts.tsx';
import type { NewParameters } from '../new-parameters.ts';
import { protocolNames } from '../recipes/recipes.ts';

type RegisteredFactsProps = {
  protocol: SiteProtocol;
  domain: string;
  facts: readonly { label: string; value: string; hint?: string }[];
};

/** What is registered for an application. */
export function RegisteredFacts({ protocol, domain, facts }: RegisteredFactsProps) {
  return (
    <Facts>
      <Fact label="Protocol">{protocolNames[protocol]}</Fact>
      <Fact label="FQDN" hint="The host name of the application. Lists show it below the name.">
        {domain}
      </Fact>
      {facts.map(({ label, value, hint }) => (
        <Fact key={label} label={label} hint={hint}>
          {value}
        </Fact>
      ))}
    </Facts>
  );
}

type SamlFactsProps = { site: NewParameters };

export function SamlFacts({ site: { identity, acs, sls, domain, certificate } }: SamlFactsProps) {
  return (
    <RegisteredFacts
      protocol="saml"
      domain={domain}
      facts={[
        { label: 'SSO Identity', value: identity, hint: 'The name of the application in SAML, also called entity ID.' },
        { label: 'SSO ACS URL', value: acs, hint: 'Where people return to after they have signed in here.' },
        sls
          ? { label: 'SSO SLS URL', value: sls, hint: 'Where the application is told that somebody has signed out.' }
          : { label: 'SSO SLS URL', value: 'None: it does not support single logout.' },
        certificate
          ? { label: 'Certificate', value: 'Its messages are verified with it.' }
          : {
              label: 'Certificate',
              value: 'None',
              hint: 'It is not needed to sign in. Without it, messages of the application are not verified.',
            },
      ]}
    />
  );
}
