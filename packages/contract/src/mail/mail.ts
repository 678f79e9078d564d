export * from './addresses.ts';
export * from './default-designs.ts';
export * from './design.ts';
export * from './render.ts';
export * from './tags.ts';
