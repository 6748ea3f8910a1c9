import { Sparkles } from 'lucide-react'
import {
  Avatar,
  Badge,
  Delta,
  type Kind,
  KindIcon,
  kinds,
  NameTag,
  Progress,
  Score,
  type Status,
  StatusIcon,
  StatusText,
  Tag,
} from '../ui/badge.tsx'
import { Card, Facts } from '../ui/card.tsx'
import { Stats } from '../ui/stat.tsx'
import { Section } from './section.tsx'

const statuses: Status[] = ['ok', 'error', 'running', 'queued', 'warning', 'cancelled']
const tones = ['neutral', 'accent', 'green', 'red', 'amber', 'blue'] as const
const kindNames = Object.keys(kinds) as Kind[]

export function Marks() {
  return (
    <>
      <Section title="Status and kinds">
        {statuses.map((status) => (
          <StatusText key={status} status={status} />
        ))}
        {statuses.map((status) => (
          <StatusIcon key={status} status={status} />
        ))}
        {kindNames.map((kind) => (
          <KindIcon key={kind} kind={kind} size={24} />
        ))}
      </Section>
      <Section title="Badges">
        {tones.map((tone) => (
          <Badge key={tone} tone={tone} icon={Sparkles}>
            {tone}
          </Badge>
        ))}
        <Tag>production</Tag>
        <Score name="correct" value />
        <Score name="correct" value={false} />
        <Score name="helpful" value={0.92} />
        <Score name="helpful" value={0.31} />
        <Delta value={0.12} text="12%" />
        <Delta value={0.2} text="20%" good="down" />
        <Delta value={-0.01} text="1%" noise />
        <Avatar name="Karin Holm" size={32} />
        <div className="w-32">
          <NameTag text="support-agent-with-a-long-name:240" />
        </div>
      </Section>
      <Section title="Figures">
        <Stats
          className="w-full"
          items={[
            { name: 'Traces', value: '12,418', note: '211 failed' },
            { name: 'Latency p50', value: '1.42 s', aside: <Delta value={-0.08} text="8%" good="down" /> },
            { name: 'Cost', value: '$48.20' },
          ]}
        />
        <div className="w-60">
          <Progress value={0.62} label="Export" tone="blue" />
        </div>
        <Card title="Model" note="Step 240" className="w-80">
          <Facts
            rows={[
              ['Base', 'heddle-micro'],
              ['Checkpoint', 'Step 240'],
            ]}
          />
        </Card>
      </Section>
    </>
  )
}
