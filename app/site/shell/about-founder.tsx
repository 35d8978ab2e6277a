import { aboutText, founder } from '#app/content/about.ts'
import { terms } from '#app/content/terms.ts'
import { Card } from '#app/ui/card.tsx'
import { Portrait, ProfileLink } from './portrait.tsx'

/** The founder's profile, and the same person as a data row. */
export function Founder() {
  return (
    <section className="wrap grid gap-x-16 gap-y-12 py-14 sm:py-20 lg:grid-cols-12 lg:py-24">
      <div className="grid content-start gap-4 lg:col-span-7">
        <p className="eyebrow">{aboutText.eyebrow}</p>
        {/* On a phone it has as many lines before its font comes as after. */}
        <h1 className="max-sm:max-w-[18rem]">{aboutText.title}</h1>
        <p className="max-w-[60ch] text-lead text-muted">{aboutText.introduction}</p>
        <div className="mt-4 grid max-w-[62ch] gap-4">
          {founder.bio.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <blockquote className="mt-4 border-l-2 border-grain pl-5 font-display text-h3 font-medium tracking-tight">
          <p>{founder.quote}</p>
        </blockquote>
      </div>
      <Card pad="none" className="self-start lg:col-span-5">
        <Portrait />
        <dl className="grid font-mono text-small">
          <Column name="name">{founder.name}</Column>
          <Column name="role">{founder.role}</Column>
          <Column name="place">{founder.place}</Column>
          <Column name="since">{founder.since}</Column>
          <Column name="answers">within {terms.response}</Column>
          <Column name="profile">
            <ProfileLink />
          </Column>
        </dl>
      </Card>
    </section>
  )
}

function Column({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="grid grid-cols-[5.5rem_1fr] gap-3 border-t border-line px-5 py-3 first:border-t-0">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
