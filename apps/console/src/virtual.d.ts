declare module 'virtual:mantine-variables.css';

declare module 'virtual:guide' {
  export const guide: import('./features/help/guide.ts').Guide;
}
