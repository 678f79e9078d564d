import '../../../patterns/form/fields.css';
import { Button, Skeleton } from '@mantine/core';
import { defaultAttributes, defaultClaims, type SiteAttributes } from '@opensocial/contract';
import { IconEye, IconListDetails } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router';
import { toSites } from '../../../api/links/panel-links.ts';
import { useAdminNetwork } from '../../../api/session/admin-network.ts';
import { useConflict } from '../../../patterns/conflict/use-conflict.tsx';
import { ErrorPanel } from '../../../patterns/error-panel/error-panel.tsx';
import formClasses from '../../../patterns/form/form.module.css';
import { PanelFooter } from '../../../patterns/side-panel/panel-footer.tsx';
import { UnsavedGuard } from '../../../patterns/side-panel/unsaved-guard.tsx';
import { showErrorField } from '../../../patterns/toast/show-error-field.tsx';
import { showSuccess } from '../../../patterns/toast/show-success.tsx';
import { siteQuery } from '../sites.api.ts';
import { AttributeList } from './attribute-list.tsx';
import { type ReleaseKind, toRow } from './attribute-rows.ts';
import classes from './attributes.module.css';
import { AttributesPreviewDialog } from './attributes-preview.tsx';
import { ClaimsPreviewDialog } from './claims-preview.tsx';
import { FurtherLists } from './further-lists.tsx';
import { NameIdFields } from './name-id-fields.tsx';
import { PresetField } from './preset-field.tsx';
import { reloadSiteAttributes, saveSiteAttributes, siteAttributesQuery } from './site-attributes.api.ts';
import {
  type AttributesForm,
  type AttributesValues,
  attributeLabels,
  toChanges,
  toValues,
  useAttributesForm,
} from './use-attributes-form.ts';

/** §2.7, Attributes. */
export function SiteAttributesTab() {
  const siteId = Number(useParams()['site_id']);
  const { data: site } = useQuery(siteQuery(siteId));
  const { data, ...query } = useQuery(siteAttributesQuery(siteId));
  if (query.isLoadingError) return <ErrorPanel onRetry={query.refetch} retrying={query.isFetching} />;
  if (!data || !site) return <Placeholder />;
  const kind = site.protocol === 'oidc' ? 'claims' : 'attributes';
  return <SiteAttributesForm key={siteId} siteId={siteId} stored={data} kind={kind} />;
}

/** The texts for the attributes of assertions and for claims. */
const texts = {
  attributes: {
    hint: 'What this site learns about the people who sign in to it.',
    action: 'save attributes',
    saved: 'Attributes saved.',
    legend: 'Attributes',
    label: 'Attributes of this site',
    emptyHint:
      'No attributes are released: the application learns only the NameID. Add an attribute, or choose a preset.',
    standard: defaultAttributes,
  },
  claims: {
    hint: 'What this site learns about the people who sign in to it. It gets the claims of the scopes that it asks for (profile, email, groups), and every claim with another name.',
    action: 'save claims',
    saved: 'Claims saved.',
    legend: 'Claims',
    label: 'Claims of this site',
    emptyHint: 'No claims are released: the application learns only the user ID (sub). Add a claim.',
    standard: defaultClaims,
  },
} as const;

type SiteAttributesFormProps = { siteId: number; stored: SiteAttributes; kind: ReleaseKind };

function SiteAttributesForm({ siteId, stored, kind }: SiteAttributesFormProps) {
  const network = useAdminNetwork();
  const formId = useId();
  const navigate = useNavigate();
  const { search } = useLocation();
  const form = useAttributesForm(stored, kind);
  const saving = useMutation(saveSiteAttributes(siteId));
  const { opened, open, openFaults } = useOpenRows(form);
  const [isPreviewing, setIsPreviewing] = useState(false);
  const { handleConflict, conflictDialog } = useConflict({
    form,
    load: async () => toValues(await reloadSiteAttributes(siteId)),
    save: (values) => save(values),
    busy: saving.isPending,
    labels: attributeLabels,
  });
  const save = (values: AttributesValues) => {
    if (saving.isPending) return;
    saving.mutate(toChanges(values), {
      onError: (error) => void (handleConflict(error) || showErrorField(error)),
      onSuccess: (saved) => {
        const current = toValues(saved);
        form.setInitialValues(current);
        form.setValues(current);
        form.resetDirty(current);
        showSuccess(texts[kind].saved);
      },
    });
  };
  const handlePreview = () => {
    const { hasErrors, errors } = form.validate();
    if (hasErrors) openFaults(errors);
    else setIsPreviewing(true);
  };
  const Preview = kind === 'claims' ? ClaimsPreviewDialog : AttributesPreviewDialog;
  return (
    <form id={formId} className={formClasses.form} noValidate onSubmit={form.onSubmit(save, openFaults)}>
      <p className={formClasses.hint}>{texts[kind].hint}</p>
      {kind === 'attributes' && (
        <>
          <PresetField form={form} onApplied={(keys) => keys.forEach((key) => open(key, true))} />
          <NameIdFields form={form} />
        </>
      )}
      <MainList form={form} kind={kind} opened={opened} onOpen={open} />
      {kind === 'attributes' && <FurtherLists form={form} opened={opened} onOpen={open} />}
      <div>
        <Button variant="default" leftSection={<IconEye size={17} stroke={1.8} />} onClick={handlePreview}>
          Preview
        </Button>
      </div>
      <PanelFooter
        action={texts[kind].action}
        busy={saving.isPending}
        form={formId}
        onCancel={() => void navigate({ pathname: toSites(network.name), search })}
      />
      <UnsavedGuard active={form.isDirty()} />
      {isPreviewing && <Preview siteId={siteId} values={form.getValues()} onClose={() => setIsPreviewing(false)} />}
      {conflictDialog}
    </form>
  );
}

type MainListProps = {
  form: AttributesForm;
  kind: ReleaseKind;
  opened: ReadonlySet<string>;
  onOpen: (key: string, isOpen: boolean) => void;
};

/** The list of the site, or the default set that the site gets without one. */
function MainList({ form, kind, opened, onOpen }: MainListProps) {
  const { attributes } = form.values;
  const { legend, label, emptyHint, standard } = texts[kind];
  return (
    <fieldset className={formClasses.group}>
      <legend className={formClasses.legend}>{legend}</legend>
      {/* Presets lead back to the default attributes; claims have no presets. */}
      {attributes && kind === 'claims' && (
        <div>
          <Button variant="default" size="sm" onClick={() => form.setFieldValue('attributes', null)}>
            Use the default set
          </Button>
        </div>
      )}
      {attributes ? (
        <AttributeList
          form={form}
          path="attributes"
          rows={attributes}
          kind={kind}
          label={label}
          emptyHint={emptyHint}
          opened={opened}
          onOpen={onOpen}
        />
      ) : (
        <div className={classes.empty}>
          <p>
            This site gets the default set: {standard.map(({ name }) => name).join(', ')}. Use a custom list to rename,
            add or leave out {kind}.
          </p>
          <div>
            <Button
              variant="default"
              size="sm"
              leftSection={<IconListDetails size={17} stroke={1.8} />}
              onClick={() => form.setFieldValue('attributes', standard.map(toRow))}
            >
              Use a custom list
            </Button>
          </div>
        </div>
      )}
    </fieldset>
  );
}

/** The open rows, by key. Rows with a fault are opened, so that it can be seen, and the first one gets the focus. */
const useOpenRows = (form: AttributesForm) => {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const open = (key: string, isOpen: boolean) =>
    setOpened((keys) => {
      const changed = new Set(keys);
      if (isOpen) changed.add(key);
      else changed.delete(key);
      return changed;
    });
  const openFaults = (faults: Record<string, unknown>) => {
    const { attributes, further_attributes } = form.getValues();
    const hasFault = (path: string) => Object.keys(faults).some((field) => field.startsWith(`${path}.`));
    const keysOf = (path: string, rows: NonNullable<typeof attributes>) =>
      rows.filter((_, index) => hasFault(`${path}.${index}`)).map(({ key }) => key);
    const keys = [
      ...keysOf('attributes', attributes ?? []),
      ...further_attributes.flatMap((list, index) => keysOf(`further_attributes.${index}.attributes`, list.attributes)),
    ];
    for (const key of keys) open(key, true);
    const [first = ''] = Object.keys(faults);
    // The fields exist after the next rendering.
    requestAnimationFrame(() => form.getInputNode(first)?.focus());
  };
  return { opened, open, openFaults };
};

function Placeholder() {
  return (
    <div className={formClasses.form} role="status" aria-label="Loading the attributes">
      {['preset', 'format', 'list'].map((part) => (
        <Skeleton key={part} height={66} radius="md" />
      ))}
    </div>
  );
}
