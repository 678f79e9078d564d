import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { type Site, SiteMode, SiteStatus } from '@opensocial/contract';
import classes from '../../patterns/form/form.module.css';
import { SiteAnnouncement } from './site-announcement.tsx';
import type { SiteForm } from './use-site-form.ts';

type SiteModeFieldsProps = { form: SiteForm; site: Site };

/** §2.7: whether the site is open, the text for visitors while it is closed, and whether it is enabled. */
export function SiteModeFields({ form, site }: SiteModeFieldsProps) {
  return (
    <>
      <fieldset className={classes.group}>
        <legend className={classes.legend}>Site mode</legend>
        <div className={classes.row}>
          <SegmentedControl {...form.getInputProps('site_mode')} aria-label="Site mode" data={[...SiteMode.options]} />
          <SiteAnnouncement site={site} />
        </div>
      </fieldset>
      {form.values.site_mode === 'Closed' && (
        <>
          <Textarea
            {...form.getInputProps('closed_message')}
            label="Closed message"
            description="Shown instead of the form on the login page."
            autosize
            minRows={2}
            maxRows={6}
          />
          <TextInput
            {...form.getInputProps('message_title')}
            label="Message title"
            description="The title of the announcement on the login page."
          />
          <Textarea {...form.getInputProps('message')} label="Message" autosize minRows={3} maxRows={10} />
        </>
      )}
      <fieldset className={classes.group}>
        <legend className={classes.legend}>Status</legend>
        <div className={classes.row}>
          <SegmentedControl {...form.getInputProps('status')} aria-label="Status" data={[...SiteStatus.options]} />
          <span className={classes.hint}>Nobody can sign in to a disabled site, and no desktop shows it.</span>
        </div>
      </fieldset>
    </>
  );
}
