import type { Handle } from '#app/access.server.ts'
import { href } from 'react-router'
import { ClosingCall } from '#app/ui/closing-call.tsx'
import { Founder } from './about-founder.tsx'
import { Achievements, Career, Skills } from './about-record.tsx'
import { ClaimBand } from './claim-strip.tsx'
import { aboutText, mission, values } from '#app/content/about.ts'
import { headOf } from '#app/content/seo.ts'

export const handle = { access: 'public', cache: true } satisfies Handle

export const meta = () => headOf('/about')

export default function AboutPage() {
  const { closing } = aboutText
  return (
    <>
      <Founder />
      <ClaimBand names={['projects', 'accuracy', 'experience', 'satisfaction']} isShort />
      <Achievements />
      <Career />
      <Skills />
      <MissionAndValues />
      <div className="wrap py-14 sm:py-20">
        <ClosingCall
          title={closing.title}
          text={closing.text}
          ways={[
            { to: href('/contact'), label: closing.contact },
            { to: href('/case-studies'), label: closing.stories },
          ]}
        />
      </div>
    </>
  )
}

function MissionAndValues() {
  return (
    <div className="bg-sunken">
      <section className="wrap py-20 text-center sm:py-28">
        <h2 className="eyebrow tracking-normal">{mission.title}</h2>
        <p className="mx-auto mt-4 max-w-[26ch] font-display text-h1 font-semibold tracking-tight text-balance">{mission.text}</p>
      </section>
      <section aria-labelledby="values" className="wrap pb-20 sm:pb-28">
        <h2 id="values" className="sr-only">
          Values
        </h2>
        <ul className="grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2">
          {values.map(({ title, text }) => (
            <li key={title} className="bg-surface p-6 sm:p-8">
              <h3>{title}</h3>
              <p className="mt-2 text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
