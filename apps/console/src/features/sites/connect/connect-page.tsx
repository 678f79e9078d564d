import { useEffect, useState } from 'react';
import { Link, Outlet, useLocation, useParams, useSearchParams } from 'react-router';
import { toConnect } from '../../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { PageHeading } from '../../../patterns/page/page-heading.tsx';
import { siteSteps, toConnectStep } from './connect.links.ts';
import type { ConnectContext, GroupsField } from './connect-context.ts';
import { readDraft, storeDraft } from './connect-draft.ts';
import classes from './connect-page.module.css';

const steps = [
  { name: 'Application', title: 'Choose the application' },
  { name: 'Connection', title: 'How it connects' },
  { name: 'Setup', title: 'Set up the application' },
  { name: 'People', title: 'Who may use it' },
  { name: 'Test', title: 'Test it' },
] as const;

type ConnectPageProps = { GroupsField: GroupsField };

/** §2.6, Connect an application: a guide in five steps. The first two register the site; the others can be opened for any site. */
export function ConnectPage({ GroupsField }: ConnectPageProps) {
  const network = useAdminNetwork();
  const { site_id } = useParams();
  const [{ draft, networkId }, setStored] = useState(() => ({ draft: readDraft(network.id), networkId: network.id }));
  const [made, setMade] = useState({ siteId: 0, secret: '' });
  useEffect(() => storeDraft(networkId, draft), [networkId, draft]);
  if (networkId !== network.id) setStored({ draft: readDraft(network.id), networkId: network.id });
  const current = useStep();
  const context: ConnectContext = {
    draft,
    onDraft: (changes) => setStored((stored) => ({ ...stored, draft: { ...stored.draft, ...changes } })),
    made,
    onSecret: setMade,
    GroupsField,
  };
  return (
    <div className={classes.page}>
      <PageHeading
        eyebrow={`Connect an application · Step ${current + 1} of ${steps.length}`}
        title={steps[current]?.title}
      />
      <Steps current={current} siteId={site_id === undefined ? undefined : Number(site_id)} />
      <Outlet context={context} />
    </div>
  );
}

/** The index of the step in the address. */
const useStep = (): number => {
  const { pathname } = useLocation();
  const last = pathname.split('/').at(-1) ?? '';
  const siteStep = siteSteps.findIndex((step) => step === last);
  if (siteStep !== -1) return siteStep + 2;
  return last === 'connection' ? 1 : 0;
};

type StepsProps = { current: number; siteId: number | undefined };

/** All steps. Those of a registered site can be opened in any order; the first two end with the registration. */
function Steps({ current, siteId }: StepsProps) {
  const network = useAdminNetwork();
  const [params] = useSearchParams();
  const linkOf = (step: number): string | undefined => {
    if (siteId === undefined) return step === 0 && current === 1 ? toConnect(network.name) : undefined;
    const siteStep = siteSteps[step - 2];
    return siteStep && toConnectStep(network.name, siteId, siteStep, params.get('app') ?? '');
  };
  return (
    <ol className={classes.steps} aria-label="Steps">
      {steps.map(({ name }, step) => {
        const link = linkOf(step);
        const state = step === current ? 'current' : step < current ? 'done' : 'open';
        const words = (
          <>
            <span className={classes.number} aria-hidden="true">
              {step + 1}
            </span>
            <span className={classes.word}>{name}</span>
          </>
        );
        return (
          <li
            key={name}
            className={classes.step}
            data-state={state}
            aria-current={step === current ? 'step' : undefined}
          >
            {link !== undefined && step !== current ? (
              <Link to={link} className={classes.link}>
                {words}
              </Link>
            ) : (
              <span className={classes.link}>{words}</span>
            )}
          </li>
        );
      })}
    </ol>
  );
}
