import { legalWords } from '#app/content/legal.ts'

/** The changes of a legal text since its first version, newest first. */
export function LegalChanges({ changes }: { changes: readonly { date: string; text: string }[] }) {
  return (
    <section className="mt-12 border-t border-line pt-8">
      <h2>{legalWords.changes}</h2>
      <dl className="mt-4 grid gap-3">
        {changes.map(({ date, text }) => (
          <div key={date}>
            <dt className="font-mono text-small text-muted">{date}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
