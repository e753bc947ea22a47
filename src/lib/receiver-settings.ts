// Which webhook receivers there can be, and how their settings are called: those of receiver 1 carry no number.

export const RECEIVERS = [1, 2, 3, 4, 5, 6, 7, 8] as const

/** E.g. PAY_WEBHOOK_URL, PAY_WEBHOOK_3_SECRET. */
export const receiverSetting = <Member extends 'URL' | 'SECRET'>(
  receiver: number,
  member: Member,
): `PAY_WEBHOOK_${Member}` | `PAY_WEBHOOK_${number}_${Member}` =>
  receiver === 1 ? `PAY_WEBHOOK_${member}` : `PAY_WEBHOOK_${receiver}_${member}`
