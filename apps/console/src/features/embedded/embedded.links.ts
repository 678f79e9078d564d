import { generatePath } from 'react-router';

export const reportPath = '/:product/report';
export const designerPath = '/:product/designer';

/** The routes accept any product name; links use this one. */
const product = 'opensocial';

export const toReport = (): string => generatePath(reportPath, { product });
export const toDesigner = (): string => generatePath(designerPath, { product });
