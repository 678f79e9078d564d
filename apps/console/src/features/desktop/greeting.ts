/** For example 'Good morning, Ana'. */
export const greetingFor = (name: string, now: Date): string => {
  const [firstName] = name.trim().split(/\s+/);
  const greeting = greetingAt(now.getHours());
  return firstName ? `${greeting}, ${firstName}` : greeting;
};

const greetingAt = (hour: number): string => {
  if (hour >= 5 && hour < 12) return 'Good morning';
  return hour >= 12 && hour < 18 ? 'Good afternoon' : 'Good evening';
};
