import { Textarea, TextInput } from '@mantine/core';
import { type Site, SiteMode, SiteStatus, siteLabels } from '@opensocial/contract';
import { SegmentedField } from '../../patterns/form/segmented-field.tsx';
import { SiteAnnouncement } from './site-announcement.tsx';
import type { SiteForm } from './use-site-form.ts';

type SiteModeFieldsProps = { form: SiteForm; site: Site };

/** §2.7: whether the site is open, the text for visitors while it is closed, and whether it is enabled. */
export function SiteModeFields({ form, site }: SiteModeFieldsProps) {
  return (
    <>
      <SegmentedField
        {...form.getInputProps('site_mode')}
        label={siteLabels.site_mode}
        data={[...SiteMode.options]}
        hint={<SiteAnnouncement site={site} />}
      />
      {form.values.site_mode === 'Closed' && (
        <>
          <Textarea
            {...form.getInputProps('closed_message')}
            label={siteLabels.closed_message}
            description="Shown instead of the form on the sign-in page."
            autosize
            minRows={2}
            maxRows={6}
          />
          <TextInput
            {...form.getInputProps('message_title')}
            label={siteLabels.message_title}
            description="The title of the announcement on the sign-in page."
          />
          <Textarea {...form.getInputProps('message')} label={siteLabels.message} autosize minRows={3} maxRows={10} />
        </>
      )}
      <SegmentedField
        {...form.getInputProps('status')}
        label={siteLabels.status}
        data={[...SiteStatus.options]}
        hint="Nobody can sign in to a disabled site, and no desktop shows it."
      />
    </>
  );
}
