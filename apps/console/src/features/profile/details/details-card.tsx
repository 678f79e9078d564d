import { Button, TextInput } from '@mantine/core';
import type { Profile } from '@opensocial/contract';
import { lazy, Suspense, useState } from 'react';
import { useSessionUser } from '../../../api/session/session.ts';
import { errorText } from '../../../api/transport/error-text.ts';
import { PersonPicture } from '../../../patterns/default-image/person-picture.tsx';
import { ProfileCard } from '../card/profile-card.tsx';
import classes from './details-card.module.css';
import { useNames } from './use-names.ts';

const PictureModal = lazy(async () => ({ default: (await import('./picture-modal.tsx')).PictureModal }));

type DetailsCardProps = { profile: Profile };

/** §2.5, Profile Details. */
export function DetailsCard({ profile }: DetailsCardProps) {
  const user = useSessionUser();
  const names = useNames(user, profile);
  const [isChanging, setIsChanging] = useState(false);
  return (
    <ProfileCard
      title="Profile Details"
      aside={
        <p className={classes.state} role="status" data-tone={names.error ? 'bad' : 'good'}>
          {names.error ? errorText(names.error) : names.isSaved && 'Saved.'}
        </p>
      }
    >
      <div className={classes.body}>
        <div className={classes.picture}>
          <PersonPicture className={classes.avatar} address={user.photoURL} size={112} alt="Your profile picture" />
          <Button variant="default" size="sm" aria-label="Change the picture" onClick={() => setIsChanging(true)}>
            Change
          </Button>
        </div>
        <div className={classes.fields}>
          <TextInput {...names.field('first_name')} label="First name" autoComplete="given-name" />
          <TextInput {...names.field('last_name')} label="Last name" autoComplete="family-name" />
          <TextInput
            className={classes.wide ?? ''}
            label="Email address"
            description="You sign in with this address. To use another one, ask an administrator to invite that address."
            inputWrapperOrder={['label', 'input', 'description']}
            value={profile.email}
            readOnly
          />
        </div>
      </div>
      <Suspense>{isChanging && <PictureModal onClose={() => setIsChanging(false)} />}</Suspense>
    </ProfileCard>
  );
}
