import { Link } from '@tanstack/react-router';
import { Badge } from '../../design/badge.tsx';
import { Icon } from '../../design/icon.tsx';
import { SeverityMark } from '../../design/severity.tsx';
import { Time } from '../../time/time.tsx';
import styles from './alert.module.css';
import { useScope } from './alert-data.ts';
import { Section } from './section.tsx';

interface SideProps {
  readonly account: string;
  readonly alertId: string;
}

/** Questions of a triage, answered from what is stored. */
export function Investigation({ account, alertId }: SideProps) {
  return (
    <Section
      title="Investigation"
      query={useScope(account, alertId, 'Investigation')}
      empty="There are no questions about this kind of alert."
    >
      {(answers) => (
        <dl className={styles.answers}>
          {answers.map(({ question, answer }) => (
            <div key={question}>
              <dt>{question}</dt>
              <dd>
                <bdi>{answer}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}

export function RelatedAlerts({ account, alertId }: SideProps) {
  return (
    <Section
      title="Related alerts"
      query={useScope(account, alertId, 'RelatedAlerts')}
      empty="No other alert is about the same entities."
    >
      {(alerts) => (
        <ul className={styles.related}>
          {alerts.map((alert) => (
            <li key={alert.eventId}>
              <SeverityMark severity={alert.severity} />
              <span className="visually-hidden">{alert.severity}</span>
              <Link to="/$account/alerts/$alertId" params={{ account, alertId: alert.eventId }}>
                <bdi>{alert.eventInfo.subject}</bdi>
              </Link>
              <Time at={alert.startTime} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

const tones = { Success: 'good', Pending: 'warning', Failed: 'bad' } as const;

/** Where the alert was sent. */
export function Integrations({ account, alertId }: SideProps) {
  return (
    <Section
      title="Notifications"
      query={useScope(account, alertId, 'Integrations')}
      empty="No alert rule matched, so nothing was sent."
    >
      {(deliveries) => (
        <ul className={styles.deliveries}>
          {deliveries.map((delivery) => (
            <li key={delivery.alertIntegrationId}>
              <p>
                <bdi>{delivery.alertChannel?.NAME ?? 'A channel that was deleted'}</bdi>
                <Badge tone={tones[delivery.status as keyof typeof tones] ?? 'neutral'}>
                  {delivery.status}
                </Badge>
              </p>
              <p className={styles.none}>
                <bdi>{delivery.alertIntegrationStatus}</bdi>, <Time at={delivery.lastSyncTime} />
              </p>
              {/^https?:\/\//.test(delivery.integrationContext.link) && (
                <a href={delivery.integrationContext.link} rel="noreferrer" target="_blank">
                  Open {delivery.integrationContext.id || 'in the receiving system'}{' '}
                  <Icon name="externalLink" size={12} />
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
