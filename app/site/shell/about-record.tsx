import { aboutText, listAchievements, listCareer, skills } from '#app/content/about.ts'
import { Section, SectionHead } from '#app/ui/section.tsx'

export function Achievements() {
  return (
    <Section id="achievements" className="grid gap-10 lg:grid-cols-12">
      <h2 id="achievements-title" className="lg:col-span-4">
        {aboutText.achievements}
      </h2>
      <ul className="lg:col-span-8">
        {listAchievements().map(({ title, text }) => (
          <li key={title} className="grid gap-x-8 gap-y-1 border-t border-line py-5 last:border-b sm:grid-cols-2">
            <h3>{title}</h3>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** The years from left to right on a wide screen, from top to bottom on a narrow one. */
export function Career() {
  return (
    <Section id="career">
      <SectionHead of="career" title={aboutText.career} />
      <ol className="mt-12 grid sm:grid-cols-2 sm:gap-x-8 lg:grid-cols-4">
        {listCareer().map(({ year, title, text }) => (
          <li key={year} className="relative grid content-start gap-1 border-t-2 border-line pt-5 pb-8 last:odd:sm:col-span-2">
            <span className="absolute -top-[5px] left-0 size-2 rounded-full bg-grain" aria-hidden="true" />
            <time dateTime={year} className="font-mono text-small text-grain-text">
              {year}
            </time>
            <h3>{title}</h3>
            <p className="text-small text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** A table of tasks and their tools. */
export function Skills() {
  return (
    <Section id="skills" ground="surface">
      <SectionHead of="skills" title={aboutText.skills} />
      <dl className="mt-10">
        {skills.map(({ category, items }) => (
          <div key={category} className="grid gap-x-8 gap-y-2 border-t border-line py-5 last:border-b sm:grid-cols-12 sm:items-baseline">
            <dt className="font-display text-h3 font-semibold tracking-tight sm:col-span-3">{category}</dt>
            <dd className="sm:col-span-9">
              <ul className="flex flex-wrap gap-x-6 gap-y-1 font-mono text-small text-muted">
                {items.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
