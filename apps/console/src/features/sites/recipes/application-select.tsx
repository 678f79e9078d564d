import { Select } from '@mantine/core';

type ApplicationSelectProps = {
  applications: readonly { id: string; name: string }[];
  value: string | null;
  onChange: (id: string | null) => void;
};

/** A choice of the application whose configuration is shown. */
export function ApplicationSelect({ applications, value, onChange }: ApplicationSelectProps) {
  return (
    <Select
      label="Application"
      description="Shows its configuration with the values of this site. For another application, use the values on this page."
      placeholder="Choose an application"
      data={applications.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      searchable
      clearable
      allowDeselect={false}
      nothingFoundMessage="Not in the list. Use the values on this page."
      maxDropdownHeight={320}
      comboboxProps={{ withinPortal: false }}
    />
  );
}
