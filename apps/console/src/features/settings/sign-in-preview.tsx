import { ActionIcon, SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type NetworkSettings, SignInPreviewDraft } from '@opensocial/contract';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import type { NetworkRef } from '../../api/transport/network-ref.ts';
import { MarkupFrame } from '../../patterns/markup/markup-frame.tsx';
import { signInPreviewQuery } from './settings.api.ts';
import classes from './sign-in-preview.module.css';
import type { SettingsValues } from './use-settings-form.ts';

type SignInPreviewProps = {
  network: NetworkRef;
  settings: NetworkSettings;
  values: SettingsValues;
  onClose: () => void;
};

/** The pause in typing after which the preview is rendered again, in milliseconds. */
const renderDelay = 300;

/** The sign-in page with the values of the form, rendered by the server. It floats above the form, which can be edited meanwhile. */
export function SignInPreview({ network, settings, values: current, onClose }: SignInPreviewProps) {
  const titleId = useId();
  const [width, setWidth] = useState('desktop');
  const [theme, setTheme] = useState('light');
  const [values] = useDebouncedValue(current, renderDelay);
  const { draft, isComplete } = withoutFaults(toDraft(settings, values), toDraft(settings, settings));
  const preview = useQuery(signInPreviewQuery(network, draft, [settings.logo, settings.background, settings.footer]));
  const [html, setHtml] = useState('');
  // The last page stays while an address is being typed, which is refused until it is complete.
  if (preview.data && preview.data.html !== html) setHtml(preview.data.html);
  const frame = useRef<HTMLIFrameElement>(null);
  const applyTheme = () => frame.current?.contentDocument?.documentElement.setAttribute('data-theme', theme);
  useEffect(applyTheme, [theme]);
  return (
    <aside className={classes.panel} aria-labelledby={titleId}>
      <header className={classes.head}>
        <h2 id={titleId} className={classes.title}>
          Preview of the sign-in page
        </h2>
        <ActionIcon variant="subtle" color="gray" aria-label="Close the preview" onClick={onClose}>
          <IconX size={18} stroke={1.8} />
        </ActionIcon>
      </header>
      <div className={classes.stage} data-width={width}>
        <MarkupFrame
          ref={frame}
          className={classes.frame}
          title="Sign-in page"
          // Scripts and forms are off. With an origin of its own the frame could not load the stylesheet and the pictures.
          sandbox="allow-same-origin"
          // Queries for the theme in the frame take it from this property.
          style={{ colorScheme: theme }}
          onLoad={applyTheme}
          html={html}
        />
      </div>
      <footer className={classes.foot}>
        <SegmentedControl size="xs" aria-label="Width" data={widths} value={width} onChange={setWidth} />
        <SegmentedControl size="xs" aria-label="Theme" data={themes} value={theme} onChange={setTheme} />
        <span className={classes.note} role="status">
          {preview.isError || !isComplete
            ? 'Correct the marked fields to see them here.'
            : 'Includes changes that are not saved.'}
        </span>
      </footer>
    </aside>
  );
}

const widths = [
  { value: 'desktop', label: 'Desktop' },
  { value: 'phone', label: 'Phone' },
];

const themes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Shows the saved values of fields that are not valid, such as an address that is being typed. */
const withoutFaults = (draft: SignInPreviewDraft, saved: SignInPreviewDraft) => {
  const faults = SignInPreviewDraft.safeParse(draft).error?.issues.map(({ path }) => path[0]) ?? [];
  const kept = Object.entries(saved).filter(([field]) => faults.includes(field));
  return { draft: { ...draft, ...Object.fromEntries(kept) }, isComplete: faults.length === 0 };
};

const toDraft = (
  settings: NetworkSettings,
  values: Pick<SettingsValues, keyof SignInPreviewDraft & keyof SettingsValues>,
): SignInPreviewDraft => ({
  footer_type: settings.footer_type,
  footer_link: values.footer_link,
  custom_footer: values.custom_footer,
  terms_of_use: values.terms_of_use,
  privacy_statement: values.privacy_statement,
  help_email: values.help_email,
  sign_up: values.sign_up,
});
