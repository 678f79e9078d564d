/** Converts a field name to a label: 'terms_of_use' becomes 'Terms of use'. */
export const fieldLabel = (field: string): string => {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
