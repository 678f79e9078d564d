type Place = { folder: string; entityId: string; base: string };

/** The configuration of the Shibboleth daemon and its Apache module. */
export const shibbolethConfig = ({ folder, entityId, base }: Place): string => `
<SPConfig xmlns="urn:mace:shibboleth:3.0:native:sp:config" clockSkew="180">
  <OutOfProcess logger="/etc/shibboleth/console.logger" />
  <InProcess logger="/etc/shibboleth/console.logger" />
  <UnixListener address="${folder}/shibd.sock" />
  <ApplicationDefaults entityID="${base}" REMOTE_USER="email">
    <Sessions lifetime="28800" timeout="3600" relayState="ss:mem" checkAddress="false" handlerSSL="false"
              cookieProps="; path=/; secure; HttpOnly" sameSiteSession="None" redirectLimit="none">
      <SSO entityID="${entityId}">SAML2</SSO>
      <Logout>SAML2 Local</Logout>
      <Handler type="MetadataGenerator" Location="/Metadata" signing="false"/>
    </Sessions>
    <Errors supportContact="root@localhost" />
    <MetadataProvider type="XML" validate="false" path="${folder}/idp.xml" reloadChanges="true" />
    <AttributeExtractor type="XML" validate="false" path="${folder}/attribute-map.xml" reloadChanges="false"/>
    <CredentialResolver type="File" key="${folder}/key.pem" certificate="${folder}/cert.pem"/>
  </ApplicationDefaults>
  <SecurityPolicyProvider type="XML" validate="false" path="/etc/shibboleth/security-policy.xml"/>
  <ProtocolProvider type="XML" validate="false" reloadChanges="false" path="/etc/shibboleth/protocols.xml"/>
</SPConfig>
`;

export const shibbolethAttributes = `
<Attributes xmlns="urn:mace:shibboleth:2.0:attribute-map">
  <Attribute name="email" nameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic" id="email"/>
  <Attribute name="urn:oid:0.9.2342.19200300.100.1.3" id="email"/>
</Attributes>
`;

/** The files of SimpleSAMLphp's configuration, by name. */
export const simpleSamlConfigs = ({ folder, entityId, base }: Place): Record<string, string> => ({
  'config.php': `<?php
$config = [
  'baseurlpath' => '${base}',
  'certdir' => '${folder}/',
  'loggingdir' => '${folder}/simplesaml-temp/',
  'datadir' => '${folder}/simplesaml-temp/',
  'tempdir' => '${folder}/simplesaml-temp/',
  'secretsalt' => 'a salt for tests only',
  'auth.adminpassword' => 'a password for tests only',
  'technicalcontact_email' => 'nobody@localhost',
  'timezone' => 'UTC',
  'logging.handler' => 'file',
  'logging.logfile' => 'simplesamlphp.log',
  'session.cookie.secure' => false,
  'session.phpsession.savepath' => '${folder}/simplesaml-temp/',
  'store.type' => 'phpsession',
  'enable.saml20-idp' => false,
  'metadata.sources' => [['type' => 'xml', 'file' => '${folder}/idp.xml']],
];`,
  'authsources.php': `<?php
$config = [
  'default-sp' => [
    'saml:SP',
    'entityID' => 'http://127.0.0.1:4813/sp',
    'idp' => '${entityId}',
    'privatekey' => '${folder}/key.pem',
    'certificate' => '${folder}/cert.pem',
    'sign.authnrequest' => true,
    'redirect.sign' => true,
    'redirect.validate' => true,
    'NameIDPolicy' => null,
  ],
];`,
});
