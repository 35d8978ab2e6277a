import { Paragraph } from '#app/mail/layout.tsx'
import { inUtc } from './email-time.ts'

type KeyListProps = { keys: { name: string; prefix: string; lastUsedAt: string | null }[]; revoked: boolean }

/** The part of a security email that lists the API keys of an account. */
export function KeyList({ keys, revoked }: KeyListProps) {
  if (keys.length === 0) return null
  return (
    <>
      <Paragraph>
        {revoked ? 'These API keys were revoked and no longer work:' : 'These API keys still work. Revoke any that you don’t recognize:'}
      </Paragraph>
      {keys.map(({ name, prefix, lastUsedAt }) => (
        <Paragraph key={prefix}>
          {name} ({prefix}…), {lastUsedAt ? `last used on ${inUtc(lastUsedAt)}` : 'never used'}
        </Paragraph>
      ))}
    </>
  )
}
