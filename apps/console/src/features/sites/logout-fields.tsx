import { NativeSelect, TextInput } from '@mantine/core';
import { bindingLabels, type LogoutBinding, type SubscriberDraft, siteLabels } from '@opensocial/contract';
import { Fold } from '../../patterns/fold/fold.tsx';

/** Whether a site has other parameters for logouts than its SLS URL. */
export const hasLogoutDetails = ({ sls_binding = 'auto', sls_response, sls_soap }: SubscriberDraft): boolean =>
  sls_binding !== 'auto' || Boolean(sls_response || sls_soap);

const bindings: { value: LogoutBinding; label: string }[] = [
  { value: 'auto', label: bindingLabels.auto },
  { value: 'redirect', label: bindingLabels.redirect },
  { value: 'post', label: bindingLabels.post },
  { value: 'soap', label: bindingLabels.soap },
];

type LogoutForm = {
  values: SubscriberDraft;
  getInputProps: (field: 'sls_binding' | 'sls_response' | 'sls_soap') => object;
};
type LogoutFieldsProps = { form: LogoutForm; busy: boolean; opened: boolean };

/** How logout messages reach the site. */
export function LogoutFields({ form, busy, opened }: LogoutFieldsProps) {
  const text = { type: 'url', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, readOnly: busy } as const;
  return (
    <Fold title="Logout messages" opened={opened}>
      <NativeSelect
        {...form.getInputProps('sls_binding')}
        label={siteLabels.sls_binding}
        description="How messages reach the SSO SLS URL. Automatic sends requests by redirect, and responses in the way that the site uses."
        data={bindings}
        disabled={busy}
      />
      {form.values.sls_binding !== 'soap' && (
        <>
          <TextInput
            {...form.getInputProps('sls_response')}
            {...text}
            label={siteLabels.sls_response}
            description="Optional. Where responses to the site's own sign-outs are sent."
          />
          <TextInput
            {...form.getInputProps('sls_soap')}
            {...text}
            label={siteLabels.sls_soap}
            description="Optional. Our server sends sign-outs there if the browser does not reach the site."
          />
        </>
      )}
    </Fold>
  );
}
