//! Where the endpoint is, and with what region, credentials and patience it is
//! spoken to.

use std::{net::IpAddr, time::Duration};

use aws_config::{
    BehaviorVersion, SdkConfig,
    default_provider::credentials::DefaultCredentialsChain,
    environment::{EnvironmentVariableCredentialsProvider, EnvironmentVariableRegionProvider},
    meta::{credentials::CredentialsProviderChain, region::RegionProviderChain},
    profile::{ProfileFileCredentialsProvider, ProfileFileRegionProvider},
    retry::RetryConfig,
    timeout::TimeoutConfig,
};
use aws_sdk_dynamodb::config::{Credentials, ProvideCredentials, Region, SharedCredentialsProvider};

use crate::faults::root;

/// How long a connection may take. Together with the attempts this is how long a
/// dead address is waited for.
const CONNECT: Duration = Duration::from_secs(3);

/// How long one attempt may take. DynamoDB answers within milliseconds; creating
/// a table is answered before it is created.
const ATTEMPT: Duration = Duration::from_secs(10);

/// How long a call may take, all its attempts included.
const CALL: Duration = Duration::from_secs(30);

/// How often a call is tried.
const ATTEMPTS: u32 = 3;

/// How long credentials may be looked for: on this machine's behalf, and on
/// AWS's own machines, where a role is asked for over the network.
const LOCAL_CREDENTIALS: Duration = Duration::from_secs(2);
const CREDENTIALS: Duration = Duration::from_secs(15);

/// What DynamoDB Local is given where the user has configured nothing.
const LOCAL_REGION: &str = "us-east-1";
const LOCAL_KEY: &str = "local";

/// The host of a URL.
///
/// # Errors
/// Where the URL is not `http(s)://host[:port][/]`.
pub fn host(url: &str) -> Result<String, String> {
    let wrong = |why: &str| Err(format!("`{url}` is no address of an endpoint: {why}"));
    let Some(rest) = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")) else {
        return wrong("it has to begin with http:// or https://");
    };
    let authority = rest.strip_suffix('/').unwrap_or(rest);
    if authority.contains(['@', '/', '?', '#']) || authority.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return wrong("only a host and a port may follow");
    }
    // The colons of an IPv6 address stand in brackets.
    let (host, port) = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, rest)) => (host, rest.strip_prefix(':').or_else(|| rest.is_empty().then_some("80"))),
        None => authority.split_once(':').map_or((authority, Some("80")), |(host, port)| (host, Some(port))),
    };
    if host.is_empty() {
        return wrong("the host is missing");
    }
    match port.map(str::parse::<u16>) {
        Some(Ok(1..)) => Ok(host.to_ascii_lowercase()),
        _ => wrong("the port has to be a number from 1 to 65535"),
    }
}

/// Whether a host is this machine.
fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// The region that a host of AWS names: `dynamodb.eu-west-1.amazonaws.com`,
/// `123456789012.ddb.eu-west-1.api.aws`, a VPC endpoint's.
fn region_of(host: &str) -> Option<&str> {
    let aws = [".amazonaws.com", ".amazonaws.com.cn", ".api.aws"].iter().any(|end| host.ends_with(end));
    let mut labels = host.split('.').skip_while(|label| !["dynamodb", "dynamodb-fips", "ddb"].contains(label));
    let region = labels.nth(1).filter(|_| aws)?;
    (region.contains('-') && region.ends_with(|c: char| c.is_ascii_digit())).then_some(region)
}

/// The SDK's configuration for an endpoint.
///
/// # Errors
/// Where the host is not this machine and there is no region, or there are no
/// credentials.
pub async fn load(url: &str, host: &str) -> Result<SdkConfig, String> {
    let loader = aws_config::defaults(BehaviorVersion::latest())
        .endpoint_url(url)
        .retry_config(
            RetryConfig::standard().with_max_attempts(ATTEMPTS).with_initial_backoff(Duration::from_millis(100)),
        )
        .timeout_config(
            TimeoutConfig::builder()
                .connect_timeout(CONNECT)
                .operation_attempt_timeout(ATTEMPT)
                .operation_timeout(CALL)
                .build(),
        );
    if is_loopback(host) {
        let region = RegionProviderChain::first_try(EnvironmentVariableRegionProvider::new())
            .or_else(ProfileFileRegionProvider::new())
            .or_else(Region::from_static(LOCAL_REGION));
        return Ok(loader.region(region).credentials_provider(local_credentials().await).load().await);
    }

    let named = region_of(host).map(|region| Region::new(region.to_owned()));
    let region = RegionProviderChain::first_try(named)
        .or_default_provider()
        .region()
        .await
        .ok_or("no AWS region is set: set AWS_REGION, or `region` in the profile that AWS_PROFILE names")?;
    let chain = DefaultCredentialsChain::builder().region(region.clone()).build().await;
    match tokio::time::timeout(CREDENTIALS, chain.provide_credentials()).await {
        Ok(Ok(_)) => Ok(loader.region(region).credentials_provider(chain).load().await),
        Ok(Err(error)) => Err(format!(
            "there are no AWS credentials ({}): set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or \
             AWS_PROFILE, or sign in (`aws sso login`)",
            root(&error)
        )),
        Err(_) => Err("the AWS credentials did not come in time".to_owned()),
    }
}

/// The user's credentials where there are some, as they decide in DynamoDB Local
/// which database is used; else any. The network is not asked for them.
async fn local_credentials() -> SharedCredentialsProvider {
    let configured = CredentialsProviderChain::first_try("environment", EnvironmentVariableCredentialsProvider::new())
        .or_else("profile", ProfileFileCredentialsProvider::builder().build());
    match tokio::time::timeout(LOCAL_CREDENTIALS, configured.provide_credentials()).await {
        Ok(Ok(_)) => SharedCredentialsProvider::new(configured),
        _ => SharedCredentialsProvider::new(Credentials::new(LOCAL_KEY, LOCAL_KEY, None, None, "keywright")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_a_host_and_a_port() {
        for (url, expected) in [
            ("http://127.0.0.1:8000", "127.0.0.1"),
            ("http://LocalHost:8000/", "localhost"),
            ("http://[::1]:8000", "::1"),
            ("https://[::1]", "::1"),
            ("https://dynamodb.eu-west-1.amazonaws.com", "dynamodb.eu-west-1.amazonaws.com"),
        ] {
            assert_eq!(host(url).as_deref(), Ok(expected), "{url}");
        }
        for url in [
            "",
            "localhost:8000",
            "ftp://localhost",
            "http://",
            "http://:8000",
            "http://a:0",
            "http://a:65536",
            "http://a:",
            "http://a:b:c",
            "http://[::1",
            "http://[::1]8000",
            "http://user:secret@localhost:8000",
            "http://localhost:8000/path",
            "http://local host",
        ] {
            assert!(host(url).is_err(), "{url}");
        }
    }

    #[test]
    fn this_machine_is_known_by_its_names() {
        assert!(["localhost", "dynamo.localhost", "127.0.0.1", "127.1.2.3", "::1"].into_iter().all(is_loopback));
        assert!(!["localhost.example", "128.0.0.1", "0.0.0.0", "dynamodb", "::2"].into_iter().any(is_loopback));
    }

    #[test]
    fn a_host_of_aws_names_its_region() {
        for (host, region) in [
            ("dynamodb.eu-west-1.amazonaws.com", Some("eu-west-1")),
            ("dynamodb.cn-north-1.amazonaws.com.cn", Some("cn-north-1")),
            ("dynamodb-fips.us-gov-west-1.amazonaws.com", Some("us-gov-west-1")),
            ("123456789012.ddb.us-east-2.amazonaws.com", Some("us-east-2")),
            ("dynamodb.us-east-2.api.aws", Some("us-east-2")),
            ("vpce-1-a.dynamodb.us-east-1.vpce.amazonaws.com", Some("us-east-1")),
            ("dynamodb.amazonaws.com", None),
            ("dynamodb.eu-west-1.example.com", None),
            ("localhost", None),
        ] {
            assert_eq!(region_of(host), region, "{host}");
        }
    }
}
