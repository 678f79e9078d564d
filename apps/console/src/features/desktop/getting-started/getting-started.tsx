import { Button } from '@mantine/core';
import type { SetupStep, GettingStarted as Started } from '@opensocial/contract';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { toConnect, toSettings, toUsers } from '../../../api/links/panel-links.ts';
import { gettingStartedQuery } from '../../../api/session/mail-delivery.ts';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { BackupAction } from './backup-action.tsx';
import { describeBackups } from './describe-backups.ts';
import { hideSteps } from './getting-started.api.ts';
import classes from './getting-started.module.css';
import { MailAction } from './mail-action.tsx';

type GettingStartedProps = { network: string };

/** §2.3: the first steps of a network, for its owners, until they are done or hidden. */
export function GettingStarted({ network }: GettingStartedProps) {
  const { data } = useQuery(gettingStartedQuery(network));
  const hiding = useMutation(hideSteps(network));
  const headingId = useId();
  if (!data || data.steps.every(({ done }) => done)) return null;
  if (data.dismissed) {
    // Hidden just now: one click brings it back.
    if (hiding.data?.dismissed !== true) return null;
    return (
      <p className={classes.hidden} role="status">
        The first steps are hidden.
        <Button variant="subtle" onClick={() => hiding.mutate(false, { onError: showErrorField })}>
          Undo
        </Button>
      </p>
    );
  }
  const done = data.steps.filter((step) => step.done).length;
  return (
    <section className={classes.card} aria-labelledby={headingId}>
      <div className={classes.head}>
        <h2 id={headingId} className={classes.heading}>
          Get started
        </h2>
        <span className={classes.count}>
          {done} of {data.steps.length} done
        </span>
        <Button
          variant="subtle"
          className={classes.hide}
          onClick={() => hiding.mutate(true, { onError: showErrorField })}
        >
          Hide
        </Button>
      </div>
      <ol className={classes.steps}>
        {data.steps.map(({ step, done: isDone }) => (
          <StepLine key={step} step={step} isDone={isDone} started={data} network={network} />
        ))}
      </ol>
    </section>
  );
}

const texts: Record<SetupStep, { title: string; text: string }> = {
  mail: { title: 'Send a test email', text: 'Invitations and new passwords are sent by email.' },
  network: {
    title: 'Create a network',
    text: 'A network has people, applications and owners of its own, for example for a department or a customer.',
  },
  application: {
    title: 'Connect your first application',
    text: 'The guide shows what to enter in the application, step by step.',
  },
  people: { title: 'Invite people', text: 'They get an email with a link, and choose a password.' },
  second_factor: {
    title: 'Protect the owners with a second factor',
    text: 'Every owner sets up an authenticator app, a passkey or email codes in their profile.',
  },
  branding: {
    title: 'Brand the sign-in page',
    text: 'With your logo and background, people recognise the page that asks for their password.',
  },
  backup: {
    title: 'Make backups',
    text: 'Set BACKUP_DIR to have the server make them, or back up the database and the images every day with other programs.',
  },
};

type StepLineProps = { step: SetupStep; isDone: boolean; started: Started; network: string };

function StepLine({ step, isDone, started, network }: StepLineProps) {
  const { title, text } = textsOf(step, started);
  return (
    <li className={classes.step} data-done={isDone || undefined}>
      {isDone ? (
        <IconCircleCheckFilled className={classes.mark} size={20} aria-hidden="true" />
      ) : (
        <IconCircle className={classes.mark} size={20} stroke={1.6} aria-hidden="true" />
      )}
      <span className={classes.words}>
        <span className={classes.title}>
          {title}
          {isDone && <span className="visually-hidden"> (done)</span>}
        </span>
        {!isDone && <span className={classes.text}>{text}</span>}
      </span>
      {!isDone && (
        <span className={classes.action}>
          <StepAction step={step} network={network} started={started} />
        </span>
      )}
    </li>
  );
}

const noMailServer = (outbox: string | null) => ({
  title: 'Set up a mail server',
  text: `Set SMTP_URL and restart the server. Until then, emails are saved in ${outbox ?? 'the outbox folder of the server'}.`,
});

const withoutMail = 'They choose a password with a link, which you copy in their panel and give to them.';

const textsOf = (step: SetupStep, { sends_mail, outbox, backups }: Started): { title: string; text: string } => {
  if (step === 'mail' && !sends_mail) return noMailServer(outbox);
  if (step === 'people' && !sends_mail) return { ...texts.people, text: withoutMail };
  if (step === 'backup' && backups) return { title: 'Make backups', text: describeBackups(backups) };
  return texts[step];
};

type StepActionProps = { step: SetupStep; network: string; started: Started };

function StepAction({ step, network, started }: StepActionProps): ReactNode {
  switch (step) {
    case 'mail':
      return started.sends_mail ? <MailAction network={network} /> : null;
    case 'backup':
      return started.backups ? null : <BackupAction network={network} />;
    case 'network':
      return <StepLink to="/sso-servers">Go to Networks</StepLink>;
    case 'application':
      return <StepLink to={toConnect(network)}>Connect an application</StepLink>;
    case 'people':
      return <StepLink to={toUsers(network)}>Go to Users</StepLink>;
    case 'second_factor':
      return <StepLink to="/profile">Go to Profile</StepLink>;
    case 'branding':
      return <StepLink to={toSettings(network)}>Go to Server Settings</StepLink>;
  }
}

type StepLinkProps = { to: string; children: string };

function StepLink({ to, children }: StepLinkProps) {
  return (
    <Button variant="default" component={Link} to={to}>
      {children}
    </Button>
  );
}
