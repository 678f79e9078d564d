import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const petrol: MantineColorsTuple = [
  '#eef8f7',
  '#d5eeeb',
  '#a9dcd6',
  '#74c3ba',
  '#3fa79d',
  '#1f8d83',
  '#0f766e',
  '#0b5f59',
  '#0a4b47',
  '#083936',
];

const ink: MantineColorsTuple = [
  '#f7f9fb',
  '#eef1f5',
  '#dfe5ec',
  '#c2cbd8',
  '#8391a6',
  '#6b788e',
  '#56657c',
  '#2a3850',
  '#1a2537',
  '#0b1220',
];

/** Dark surfaces get lighter with elevation: 9 is the page, 7 a surface, 6 a floating layer; 5 and 4 are lines, 2 to 0 are text. */
const dark: MantineColorsTuple = [
  '#e8edf5',
  '#a3b0c4',
  '#8796ad',
  '#5d6d88',
  '#33425c',
  '#1f2b3f',
  '#141e2f',
  '#101826',
  '#0d1420',
  '#0a0f19',
];

const textOn: Readonly<Record<string, string>> = { petrol: 'var(--on-accent)', red: 'var(--on-bad)' };

/**
 * Mantine derives black or white text from one shade for both colour schemes. The accent and danger colours have one shade for each
 * scheme, so the text colour is set here.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const color = input.variant === 'filled' ? textOn[input.color ?? input.theme.primaryColor] : undefined;
  return color ? { ...colors, color } : colors;
};

export const theme = createTheme({
  colors: { petrol, gray: ink, dark },
  primaryColor: 'petrol',
  primaryShade: { light: 6, dark: 4 },
  black: '#0b1220',
  autoContrast: true,
  variantColorResolver,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-code)',
  fontSizes: { xs: '0.75rem', sm: '0.875rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: { fontFamily: 'var(--font)', fontWeight: '650' },
  radius: { xs: '4px', sm: 'var(--r-s)', md: 'var(--r-m)', lg: 'var(--r-l)', xl: 'var(--r-xl)' },
  defaultRadius: 'md',
  shadows: { md: 'var(--shadow)' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'md' } },
    Checkbox: { defaultProps: { radius: 'xs' } },
    NativeSelect: { defaultProps: { size: 'md' } },
    TextInput: { defaultProps: { size: 'md' } },
    MultiSelect: { defaultProps: { size: 'md' } },
    Textarea: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md', visibilityToggleFocusable: true } },
    // A menu needs no focusable placeholder, which ARIA does not allow in it.
    Menu: {
      defaultProps: {
        shadow: 'md',
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 120, transition: 'pop-top-right' },
      },
    },
    // Mantine locks the scroll with a <style> element, which the CSP refuses; base.css locks it instead.
    DrawerRoot: { defaultProps: { lockScroll: false } },
    ModalRoot: { defaultProps: { lockScroll: false } },
    Modal: {
      defaultProps: { lockScroll: false, yOffset: '8dvh', padding: 24, closeButtonProps: { 'aria-label': 'Close' } },
    },
    // A <header> in a dialog would be a second banner of the page.
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
  },
});
