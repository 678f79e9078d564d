import type { SiteProtocol } from '@opensocial/contract';
import { Fact, Facts } from '../../../patterns/facts/facts.tsx';
import type { NewParameters } from '../new-parameters.ts';
import { protocolNames } from '../recipes/recipes.ts';

type RegisteredFactsProps = {
  protocol: SiteProtocol;
  domain: string;
  facts: readonly (readonly [label: string, value: string])[];
};

/** What is registered for an application. */
export function RegisteredFacts({ protocol, domain, facts }: RegisteredFactsProps) {
  return (
    <Facts>
      <Fact label="Protocol">{protocolNames[protocol]}</Fact>
      <Fact label="FQDN" hint="The name of the site in lists.">
        {domain}
      </Fact>
      {facts.map(([label, value]) => (
        <Fact key={label} label={label}>
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
        ['SSO Identity', identity],
        ['SSO ACS URL', acs],
        ['SSO SLS URL', sls || 'None: it does not support single logout.'],
        ['Certificate', certificate ? 'Its messages are verified with it.' : 'None: its messages are not verified.'],
      ]}
    />
  );
}
