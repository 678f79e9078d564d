import {
  IconBook2,
  IconCalendarEvent,
  IconChartHistogram,
  IconDna2,
  IconFlask,
  IconLifebuoy,
  IconMicroscope,
  IconReceipt,
  IconSchool,
  IconTemperatureSnow,
  IconTestPipe,
  IconTruckDelivery,
} from '@tabler/icons-react';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

type Icon = typeof IconFlask;

const site = (name: string, icon: Icon, icon_color: string, icon_background: string, group?: string) => ({
  site_name: name,
  key: name.toLowerCase().replaceAll(' ', '-'),
  icon: renderToStaticMarkup(createElement(icon, { stroke: 1.75 })),
  icon_color,
  icon_background,
  group,
});

/** The applications of a laboratory; those with a group are for its members. */
const laboratory = [
  site('LIMS Core', IconFlask, '#0f766e', '#d5eeeb'),
  site('Reports', IconChartHistogram, '#7c3aed', '#ede9fe'),
  site('Sample Tracker', IconTestPipe, '#b45309', '#fef3c7'),
  site('Microscopy', IconMicroscope, '#1d4ed8', '#dbeafe', 'Microscopy'),
  site('Courier Desk', IconTruckDelivery, '#be123c', '#ffe4e6', 'Logistics'),
  site('Billing', IconReceipt, '#15803d', '#dcfce7', 'Administration'),
  site('Quality Manual', IconBook2, '#334155', '#e2e8f0'),
  site('Genomics Portal', IconDna2, '#6d28d9', '#f3e8ff', 'Genomics'),
  site('Cold Storage', IconTemperatureSnow, '#0369a1', '#e0f2fe', 'Logistics'),
  site('Shift Planner', IconCalendarEvent, '#c2410c', '#ffedd5'),
  site('Learning', IconSchool, '#a21caf', '#fae8ff'),
  site('Service Desk', IconLifebuoy, '#0e7490', '#cffafe'),
];

export const groupNames = ['Microscopy', 'Logistics', 'Administration', 'Genomics', 'Night shift', 'Trainees'];

/** The networks of the hospital group, each with the applications on its desktop. */
export const networkPlans = [
  { name: 'northlab', users: 1_200, sites: laboratory },
  { name: 'southlab', users: 600, sites: laboratory.slice(0, 7) },
  {
    name: 'genolab',
    users: 200,
    sites: [laboratory[0], laboratory[1], laboratory[7], laboratory[11]].filter((each) => each !== undefined),
  },
];
