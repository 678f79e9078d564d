import { Button } from '@mantine/core';
import { settingLabels } from '@opensocial/contract';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../patterns/confirm/confirm-dialog.tsx';
import { DismissedSignInError } from '../../patterns/form/dismissed-sign-in.tsx';
import { fieldLabel } from '../../patterns/form/field-label.ts';
import { SubmitButton } from '../../patterns/form/submit-button.tsx';
import { listOf } from '../../patterns/format/format.ts';
import classes from './settings-footer.module.css';
import { changedFields, type SettingsForm } from './use-settings-form.ts';

type SettingsFooterProps = {
  form: SettingsForm;
  busy: boolean;
  isPreviewOpen: boolean;
  onPreview: () => void;
  onDiscard: () => void;
};

const fieldLabels: Readonly<Record<string, string>> = settingLabels;
const labelOf = (field: string): string => fieldLabels[field] ?? fieldLabel(field);

/** Names what is not saved yet, and saves or discards it. */
export function SettingsFooter({ form, busy, isPreviewOpen, onPreview, onDiscard }: SettingsFooterProps) {
  const [isAsking, setIsAsking] = useState(false);
  const changed = form.isDirty() ? changedFields(form).map(labelOf) : [];
  const PreviewIcon = isPreviewOpen ? IconEyeOff : IconEye;
  return (
    <div className={classes.foot}>
      <DismissedSignInError busy={busy} />
      <p className={classes.state} role="status">
        {changed.length > 0 && `Not saved yet: ${describe(changed)}`}
      </p>
      <div className={classes.buttons}>
        <Button
          variant="subtle"
          color="gray"
          aria-expanded={isPreviewOpen}
          leftSection={<PreviewIcon size={16} stroke={1.8} />}
          onClick={onPreview}
        >
          Preview
        </Button>
        {changed.length > 0 && (
          <Button variant="default" disabled={busy} onClick={() => setIsAsking(true)}>
            Discard changes
          </Button>
        )}
        <SubmitButton busy={busy}>Save settings</SubmitButton>
      </div>
      {isAsking && (
        <ConfirmDialog
          title="Discard changes?"
          text={`What you changed is lost: ${listOf(changed)}.`}
          action="Discard changes"
          cancelText="Keep editing"
          danger
          onConfirm={onDiscard}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}

/** How many fields the bar names before it only counts them. */
const mostNamed = 3;

const describe = (labels: readonly string[]): string =>
  labels.length > mostNamed
    ? `${labels.slice(0, mostNamed - 1).join(', ')} and ${labels.length - mostNamed + 1} more`
    : listOf(labels);
