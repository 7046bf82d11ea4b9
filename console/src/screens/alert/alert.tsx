import { Link, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Problem } from '../../api/problem.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { SeverityLabel } from '../../design/severity.tsx';
import { Empty, ProblemNote, Skeleton } from '../../design/states.tsx';
import { useAccount } from '../../shell/account.ts';
import { useKeys } from '../../shell/keys.ts';
import { Page } from '../../shell/page.tsx';
import { Time } from '../../time/time.tsx';
import styles from './alert.module.css';
import { type Scopes, useScope } from './alert-data.ts';
import { CloseDialog } from './close-dialog.tsx';
import { Entities } from './entities.tsx';
import { Evidence } from './evidence.tsx';
import { Integrations, Investigation, RelatedAlerts } from './side.tsx';
import { Timeline } from './timeline.tsx';

/** Is it real, what happened, and who has to know? */
export function Alert() {
  const { alertId } = useParams({ from: '/$account/alerts/$alertId' });
  // A separate state for each alert: a comment that was typed stays with its alert.
  return <AlertPage key={alertId} alertId={alertId} />;
}

function AlertPage({ alertId }: { readonly alertId: string }) {
  const account = useAccount();
  const details = useScope(account.name, alertId, 'Details');
  const [isClosing, setClosing] = useState(false);
  const comment = useRef<HTMLTextAreaElement>(null);
  const back = useBack(account.name);
  const alert = details.data;
  const canClose = alert?.status === 'Open' && !account.isReadOnly;
  useKeys({
    u: back,
    c: () => comment.current?.focus(),
    e: () => canClose && setClosing(true),
  });
  const backLink = (
    <Link to="/$account/alerts" params={{ account: account.name }} className={styles.back ?? ''}>
      <Icon name="arrowLeft" /> Alerts
    </Link>
  );
  if (!alert) {
    const isMissing = details.error instanceof Problem && details.error.status === 404;
    return (
      <Page title={`Alert ${alertId} - ${account.name}`} heading={`Alert ${alertId}`} above={backLink}>
        {isMissing && (
          <Empty icon="search" title={`The account ${account.name} has no alert ${alertId}`}>
            It may belong to another account, or be older than the retention of alerts.
          </Empty>
        )}
        {details.error && !isMissing && (
          <ProblemNote
            what="The alert could not be loaded"
            problem={details.error}
            onRetry={() => void details.refetch()}
          />
        )}
        {!details.error && <Skeleton lines={8} label="Loading the alert" />}
      </Page>
    );
  }
  return (
    <Page
      title={`${alert.alertInfo.subject.slice(0, 80)} - ${account.name}`}
      heading={<bdi>{alert.alertInfo.subject}</bdi>}
      above={
        <div className={styles.above}>
          {backLink}
          <SeverityLabel severity={alert.severity} />
          <Badge tone={alert.status === 'Open' ? 'warning' : 'good'}>{alert.status}</Badge>
          <span className={styles.none}>Alert {alert.alertId}</span>
        </div>
      }
      actions={
        canClose && (
          <Button kind="primary" icon="circleCheck" onClick={() => setClosing(true)}>
            Close alert
          </Button>
        )
      }
    >
      <Facts alert={alert} />
      <div className={styles.columns}>
        <div className={styles.stack}>
          <Description alert={alert} />
          <Entities details={alert} />
          <Evidence account={account.name} alertId={alertId} />
        </div>
        <div className={styles.stack}>
          <Timeline
            account={account.name}
            alertId={alertId}
            isReadOnly={account.isReadOnly}
            commentRef={comment}
          />
          <Investigation account={account.name} alertId={alertId} />
          <RelatedAlerts account={account.name} alertId={alertId} />
          <Integrations account={account.name} alertId={alertId} />
        </div>
      </div>
      <CloseDialog
        account={account.name}
        alerts={[{ id: alert.alertId, subject: alert.alertInfo.subject }]}
        isOpen={isClosing}
        onClose={() => setClosing(false)}
      />
    </Page>
  );
}

/** Back to the list as it was; to the default list if the alert was opened by a link. */
function useBack(account: string): () => void {
  const router = useRouter();
  const navigate = useNavigate();
  return () => {
    if (router.history.canGoBack()) router.history.back();
    else void navigate({ to: '/$account/alerts', params: { account } });
  };
}

function Facts({ alert }: { readonly alert: Scopes['Details'] }) {
  const { category, sub_category, source } = alert.derivedFields;
  return (
    <dl className={styles.facts}>
      <div>
        <dt>Raised</dt>
        <dd>
          <Time at={alert.startTime} isExact />
        </dd>
      </div>
      <div>
        <dt>Last violation</dt>
        <dd>
          <Time at={alert.endTime} />
        </dd>
      </div>
      <div>
        <dt>Violations</dt>
        <dd>{alert.violationCount}</dd>
      </div>
      <div>
        <dt>Policy</dt>
        <dd>
          <bdi>{alert.alertName}</bdi> <code>{alert.policyId}</code>
        </dd>
      </div>
      <div>
        <dt>Category</dt>
        <dd>
          <bdi>{[source, category, sub_category].filter(Boolean).join(', ')}</bdi>
        </dd>
      </div>
    </dl>
  );
}

function Description({ alert: { alertInfo } }: { readonly alert: Scopes['Details'] }) {
  return (
    <section className={styles.section}>
      <header>
        <h2>Description</h2>
      </header>
      <p className={styles.prose} dir="auto">
        {alertInfo.description}
      </p>
      {alertInfo.remediation && (
        <>
          <h3>Remediation</h3>
          <p className={styles.prose} dir="auto">
            {alertInfo.remediation}
          </p>
        </>
      )}
    </section>
  );
}
