import { SegmentedControl } from '@mantine/core';
import { type Answer, ApiError, type getTemplates, type TemplateKind, templateNames } from '@opensocial/contract';
import { IconAlertTriangle, IconChevronDown } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useAdminNetwork } from '../../api/session/admin-network.ts';
import { errorText } from '../../api/transport/error-text.ts';
import { showFault } from '../../patterns/toast/show-fault.tsx';
import { showSuccess } from '../../patterns/toast/show-success.tsx';
import { TemplateForm } from './template-form.tsx';
import classes from './template-section.module.css';
import { switchTemplate } from './templates.api.ts';

type TemplateSectionProps = {
  kind: TemplateKind;
  title: string;
  name: string;
  switching: string;
  occasion: string;
  templates: Answer<typeof getTemplates>;
  isUnsaved: boolean;
  onUnsaved: (isUnsaved: boolean) => void;
};

/**
 * A mail template: a switch between our text and the network's own, and the form. A collapsed section keeps its unsaved changes.
 */
export function TemplateSection(props: TemplateSectionProps) {
  const { kind, title, name, switching, occasion, templates, isUnsaved, onUnsaved } = props;
  const id = useId();
  const network = useAdminNetwork();
  const [opened, setOpened] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const switched = useMutation(switchTemplate(network, kind));
  const { field, use } = templateNames[kind];
  const isUsed = switched.isPending ? switched.variables : templates[use] === 'Yes';

  const handleOpen = () => {
    setOpened((isOpen) => !isOpen);
    setWasOpened(true);
  };
  const handleSwitch = (value: string) => {
    if (switched.isPending) return;
    switched.mutate(value === 'Yes', {
      onSuccess: () => showSuccess('Your request successfully updated'),
      onError: (error) =>
        showFault(error instanceof ApiError ? errorText(error) : `Failed to update ${switching} switching`),
    });
  };
  return (
    <section className={classes.section} aria-labelledby={`${id}-title`}>
      <div className={classes.head}>
        <h2 id={`${id}-title`} className={classes.title}>
          <button
            type="button"
            className={classes.opener}
            aria-expanded={opened}
            aria-controls={`${id}-body`}
            onClick={handleOpen}
          >
            <IconChevronDown className={classes.arrow ?? ''} size={18} stroke={1.8} aria-hidden="true" />
            {title}
          </button>
        </h2>
        {isUnsaved && <span className={classes.unsaved}>not saved yet</span>}
        <SegmentedControl
          className={classes.switch ?? ''}
          size="sm"
          aria-label={`What is sent: ${title}`}
          value={isUsed ? 'Yes' : 'No'}
          onChange={handleSwitch}
          data={[
            { value: 'No', label: 'Use Default' },
            { value: 'Yes', label: 'Use Template' },
          ]}
        />
      </div>
      {templates.problems[kind] !== undefined && (
        <p className={classes.problem} role="note">
          <IconAlertTriangle size={18} stroke={1.8} aria-hidden="true" />
          <span>
            The saved template is not sent; the default email is sent instead. {templates.problems[kind]} Then save the
            template.
          </span>
        </p>
      )}
      <div id={`${id}-body`} className={classes.body} hidden={!opened}>
        {isUsed && templates[field] === '' && (
          <p className={classes.hint}>No template is saved yet, so the default email is sent.</p>
        )}
        <p className={classes.occasion}>{occasion}</p>
        {wasOpened && (
          <TemplateForm
            kind={kind}
            name={name}
            title={title}
            saved={templates[field]}
            origin={templates.origin}
            onUnsaved={onUnsaved}
          />
        )}
      </div>
    </section>
  );
}
