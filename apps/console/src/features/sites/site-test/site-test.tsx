import { Anchor } from '@mantine/core';
import type { OneSignature, SiteTestStep, SiteTestStepId, SiteTest as Test } from '@opensocial/contract';
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleCheck,
  IconHourglass,
  IconInfoCircle,
  IconMinus,
  IconPlayerPlay,
  IconX,
} from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { BusyButton } from '../../../patterns/busy-button/busy-button.tsx';
import { Fold } from '../../../patterns/fold/fold.tsx';
import form from '../../../patterns/form/form.module.css';
import { exactTime, shortTime } from '../../../patterns/format/format.ts';
import { webUrl } from '../../../patterns/links/web-url.ts';
import { StateIcon } from '../../../patterns/state-mark/state-mark.tsx';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { signOnlyAssertion } from '../sites.api.ts';
import { toSiteSection } from '../sites.links.ts';
import { SectionBar } from '../sso/section-bar.tsx';
import { beginTest, siteTestQuery } from './site-test.api.ts';
import classes from './site-test.module.css';

type SiteTestProps = { site: { id: number; name: string; domain: string }; isFilled?: boolean };

/** §2.7 Test sign-in: a real sign-in in a new tab, which shows every step before it is sent. The result is shown here. */
export function SiteTest({ site, isFilled = false }: SiteTestProps) {
  const { data: test } = useQuery(siteTestQuery(site.id));
  const beginning = useMutation(beginTest(site.id));
  const network = useAdminNetwork();
  const saving = useMutation(signOnlyAssertion(network, site.id));
  const [isBlocked, setIsBlocked] = useState(false);
  const again = useRef<HTMLButtonElement>(null);
  const handleBegin = (signs?: 'assertion') => {
    // Browsers allow a new tab only during the click, so that it is opened before the test has begun.
    const tab = window.open('', '_blank');
    setIsBlocked(tab === null);
    beginning.mutate(signs, {
      onSuccess: ({ start_url }) => leadTo(tab, start_url),
      onError: (error) => {
        tab?.close();
        showErrorField(error);
      },
    });
  };
  const handleSave = () =>
    saving.mutate(undefined, {
      onSuccess: () => {
        // The button that was pressed is gone, and must not take the focus with it.
        again.current?.focus();
        showSuccess('Site sucessfully updated.');
      },
      onError: showErrorField,
    });
  return (
    <div className={form.form}>
      <SectionBar
        text={`Sign in to ${site.name} in a new tab. The request, its checks and the response are shown to you there before anything is sent. Other people are not affected.`}
      >
        <BusyButton
          ref={again}
          variant={isFilled ? 'filled' : 'default'}
          leftSection={<IconPlayerPlay size={16} stroke={1.8} />}
          busy={beginning.isPending}
          onClick={() => handleBegin()}
        >
          {test ? 'Test sign-in again' : 'Test sign-in'}
        </BusyButton>
      </SectionBar>
      {test && (
        <Result test={test} site={site} isBlocked={isBlocked}>
          {test.one_signature !== 'none' && (
            <SignatureChoice
              name={site.name}
              state={test.one_signature}
              busy={beginning.isPending || saving.isPending}
              onTry={() => handleBegin('assertion')}
              onSave={handleSave}
            />
          )}
        </Result>
      )}
    </div>
  );
}

/** Sends the new tab to the application. The application must not reach the console through its opener. */
const leadTo = (tab: Window | null, url: string): void => {
  const target = webUrl(url);
  if (!tab) return;
  if (target === undefined) {
    tab.close();
    return;
  }
  tab.opener = null;
  tab.location.replace(target);
};

const looks = {
  waiting: { icon: IconHourglass, tone: 'quiet' },
  running: { icon: IconHourglass, tone: 'quiet' },
  done: { icon: IconCircleCheck, tone: 'good' },
  failed: { icon: IconAlertTriangle, tone: 'bad' },
  stopped: { icon: IconMinus, tone: 'quiet' },
  expired: { icon: IconHourglass, tone: 'quiet' },
} as const;

type SignatureChoiceProps = {
  name: string;
  state: Exclude<OneSignature, 'none'>;
  busy: boolean;
  onTry: () => void;
  onSave: () => void;
};

/** Finds out whether a site needs only one of its two signatures. Only the owner sees whether the application has accepted a response. */
function SignatureChoice({ name, state, busy, onTry, onSave }: SignatureChoiceProps) {
  const isOffered = state === 'offered';
  return (
    <>
      {isOffered && (
        <p>
          Does {name} show you as signed in? Then find out whether the signature of the assertion is enough. With one
          signature instead of two, sign-ins are faster.
        </p>
      )}
      <div className={classes.choice}>
        <BusyButton variant="default" busy={busy} onClick={isOffered ? onTry : onSave}>
          {isOffered ? 'Test with one signature' : 'Sign only the assertion'}
        </BusyButton>
      </div>
    </>
  );
}

type ResultProps = { test: Test; site: SiteTestProps['site']; isBlocked: boolean; children: ReactNode };

function Result({ test, site, isBlocked, children }: ResultProps) {
  const network = useAdminNetwork();
  const { icon: Icon, tone } = looks[test.state];
  const target = test.state === 'waiting' ? webUrl(test.start_url) : undefined;
  return (
    <div className={classes.result}>
      <div className={classes.verdict} data-tone={tone} role="status">
        <Icon size={22} stroke={1.8} aria-hidden="true" />
        <div className={classes.texts}>
          <p className={classes.headline}>{test.title}</p>
          <p>{test.text}</p>
          {test.causes.length > 0 && (
            <ul className={classes.causes}>
              {test.causes.map((cause) => (
                <li key={cause}>{cause}</li>
              ))}
            </ul>
          )}
          {children}
          {test.state === 'failed' && (
            <p>
              <Anchor component={Link} to={toSiteSection(network.name, site, 'diagnosis')}>
                See the diagnosis
              </Anchor>
            </p>
          )}
          {target && (
            <p>
              {isBlocked && 'Your browser did not open the tab. '}
              <Anchor href={target} target="_blank" rel="noopener noreferrer">
                Open {site.name}
              </Anchor>
            </p>
          )}
        </div>
      </div>
      {test.steps.length > 0 && (
        <ol className={classes.steps} aria-label="Steps of the test">
          {test.steps.map((step) => (
            <Step key={step.id} step={step} />
          ))}
        </ol>
      )}
    </div>
  );
}

const titles: Record<SiteTestStepId, string> = {
  request: 'Request',
  person: 'Person',
  answer: 'Response',
  sent: 'Sent',
  token: 'Tokens',
};

function Step({ step: { id, at, checks } }: { step: SiteTestStep }) {
  const wrong = checks.filter(({ outcome }) => outcome === 'no').length;
  return (
    <li>
      <Fold
        opened={wrong > 0}
        title={
          <span className={classes.title}>
            <StateIcon {...marks[wrong > 0 ? 'no' : 'yes']} />
            <span className={classes.name}>{titles[id]}</span>
            <time dateTime={at} title={exactTime(at)}>
              {shortTime(at)}
            </time>
          </span>
        }
      >
        <ul className={classes.checks}>
          {checks.map((check) => (
            <li key={check.label}>
              <StateIcon {...marks[check.outcome]} />
              <div>
                <p className={classes.label}>{check.label}</p>
                <p>{check.text}</p>
              </div>
            </li>
          ))}
        </ul>
      </Fold>
    </li>
  );
}

const marks = {
  yes: { icon: IconCheck, label: 'Right', tone: 'good' },
  no: { icon: IconX, label: 'Wrong', tone: 'bad' },
  note: { icon: IconInfoCircle, label: 'Note', tone: 'quiet' },
  skipped: { icon: IconMinus, label: 'Not checked', tone: 'quiet' },
} as const;
