export * from './addresses.ts';
export * from './default-designs.ts';
export * from './design.ts';
export * from './plain-text.ts';
export * from './render.ts';
export * from './secrets.ts';
export * from './set-password.ts';
export * from './tags.ts';
