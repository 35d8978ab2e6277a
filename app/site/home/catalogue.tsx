import { ChangeSample, JsonSample, LeadSample, MarketSample, PipelineSample, PriceSample } from '#app/site/services/card-samples.tsx'
import { ServiceCard } from '#app/site/services/service-card.tsx'
import { servicesSection } from '#app/content/home.ts'
import { customService, type ServiceSample, services } from '#app/content/services.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { Section, SectionHead } from '#app/ui/section.tsx'

const samples: Record<ServiceSample, React.ReactNode> = {
  prices: <PriceSample />,
  lead: <LeadSample />,
  market: <MarketSample />,
  answer: <JsonSample />,
  pipeline: <PipelineSample />,
  changes: <ChangeSample />,
}

export function HomeCatalog() {
  return (
    <Section id="services" pad="close">
      <SectionHead of="services" {...servicesSection} />
      <div className="snap-row mt-3 pt-3 lg:mt-5 lg:grid-cols-2 lg:[--gap:1.25rem] xl:grid-cols-3">
        {services.map((service) => (
          <ServiceCard key={service.id} service={service} sample={samples[service.sample]} />
        ))}
      </div>
      <div className="mt-5 grid gap-5 rounded-card bg-sunken p-5 lg:grid-cols-[1fr_auto] lg:items-center lg:gap-10 lg:px-8">
        <div className="grid gap-2">
          <h3>{customService.title}</h3>
          <p className="text-small text-muted">{customService.text}</p>
        </div>
        <p>
          <a href="#contact" className={buttonLook('primary', 'large')}>
            {customService.action}
          </a>
        </p>
      </div>
    </Section>
  )
}
