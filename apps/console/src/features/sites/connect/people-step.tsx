import { Checkbox } from '@mantine/core';
import type { Group, Site, SiteOverview } from '@opensocial/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { errorText } from '../../../api/transport/error-text.ts';
import { EffectsDialog } from '../../../patterns/confirm/effects-dialog.tsx';
import { describeEntryEffects } from '../../../patterns/entry-effects/entry-effects.ts';
import { CardChoice } from '../../../patterns/form/card-choice.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { FormError } from '../../../patterns/form/form-error.tsx';
import { useNavigateFromHere } from '../../../patterns/links/use-navigate-from-here.ts';
import { assignedGroupsQuery, savePeople } from './connect.api.ts';
import { toConnectStep } from './connect.links.ts';
import { useConnect } from './connect-context.ts';
import { StepButtons } from './step-buttons.tsx';
import { useConnectedSite } from './use-connected-site.tsx';

/** The fourth step: who may use the application, and whether it is on the desktop. */
export function PeopleStep() {
  const network = useAdminNetwork();
  const { site, overview, app, placeholder } = useConnectedSite();
  const groups = useQuery({ ...assignedGroupsQuery(network, site?.id ?? 0), enabled: site !== undefined });
  if (!site || !groups.data) return placeholder ?? null;
  return <PeopleForm site={site} overview={overview} assigned={groups.data} app={app} />;
}

const audiences = [
  {
    value: 'everybody',
    label: 'Everybody in this network',
    description: 'The site has no group. People who join later can use it too.',
  },
  {
    value: 'groups',
    label: 'Only members of groups',
    description: 'Others are told that they have no access.',
  },
] as const;

type Audience = (typeof audiences)[number]['value'];

type PeopleFormProps = { site: Site; overview: SiteOverview; assigned: readonly Group[]; app: string };

function PeopleForm({ site, overview, assigned, app }: PeopleFormProps) {
  const network = useAdminNetwork();
  const navigate = useNavigateFromHere();
  const { GroupsField } = useConnect();
  const [audience, setAudience] = useState<Audience>(assigned.length > 0 ? 'groups' : 'everybody');
  const [added, setAdded] = useState<string[]>([]);
  const [isOnDesktop, setIsOnDesktop] = useState(overview.on_desktop || overview.last_success === null);
  const [fault, setFault] = useState<string>();
  const [effects, setEffects] = useState<readonly string[]>([]);
  const saving = useMutation(savePeople(network, site.id));
  const handleContinue = () => {
    const isRestricted = audience === 'groups';
    if (isRestricted && assigned.length + added.length === 0) {
      setFault('Choose at least one group, or let everybody in this network use the application.');
      return;
    }
    setFault(undefined);
    void findEffectsAndSave(isRestricted);
  };
  // Nobody loses access to a site that nobody has used yet.
  const isUsed = overview.last_success !== null;
  const findEffectsAndSave = async (isRestricted: boolean) => {
    const toPairs = (ids: readonly number[]) => ids.map((group_id) => ({ group_id, site_id: site.id }));
    const change = isRestricted
      ? { assigned: toPairs(added.map(Number)) }
      : { unassigned: toPairs(assigned.map(({ id }) => id)) };
    const found = isUsed ? await describeEntryEffects(network, change) : [];
    if (found.length > 0) setEffects(found);
    else save();
  };
  const save = () => {
    const isRestricted = audience === 'groups';
    setEffects([]);
    saving.mutate(
      { added: isRestricted ? added.map(Number) : [], removed: isRestricted ? [] : assigned, isOnDesktop },
      { onSuccess: () => void navigate(toConnectStep(network.name, site.id, 'test', app)) },
    );
  };
  return (
    <div className={formClasses.form}>
      <h2 className={formClasses.heading}>{site.site_name}</h2>
      <CardChoice label="Who may use it" options={audiences} value={audience} onChange={setAudience} />
      {audience === 'groups' && (
        <>
          {assigned.length > 0 && (
            <p className={formClasses.hint}>Already assigned: {assigned.map(({ name }) => name).join(', ')}.</p>
          )}
          <GroupsField value={added} onChange={setAdded} />
        </>
      )}
      {audience === 'everybody' && assigned.length > 0 && (
        <p className={formClasses.hint} role="status">
          The site is removed from {assigned.map(({ name }) => name).join(', ')} when you continue.
        </p>
      )}
      <Checkbox
        label="Show it on the desktop"
        description="People find a tile for it at the end of their desktop. You can move it under Desktop Config."
        checked={isOnDesktop}
        onChange={(event) => setIsOnDesktop(event.currentTarget.checked)}
      />
      <FormError>{fault ?? (saving.error && errorText(saving.error))}</FormError>
      <StepButtons
        back={toConnectStep(network.name, site.id, 'values', app)}
        action="Continue"
        busy={saving.isPending}
        onContinue={handleContinue}
      />
      {effects.length > 0 && (
        <EffectsDialog effects={effects} action="Continue" onConfirm={save} onCancel={() => setEffects([])} />
      )}
    </div>
  );
}
