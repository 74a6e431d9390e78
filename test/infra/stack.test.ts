// One test file imports all of these, since loading the CDK and synthesizing the stages takes longer than the tests.
import './stack/permissions.ts';
import './stack/functions.ts';
import './stack/api.ts';
import './stack/deployments.ts';
import './stack/table.ts';
import './stack/queues.ts';
import './stack/secrets.ts';
import './stack/alarms.ts';
import './stack/mail.ts';
import './stack/cost.ts';
import './stack/checks.ts';
