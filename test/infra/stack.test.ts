// One test file imports all of these, since loading the CDK and synthesizing the stages takes longer than the tests.
import './stack/permissions.ts';
import './stack/api.ts';
import './stack/data.ts';
import './stack/deployments.ts';
import './stack/alarms.ts';
