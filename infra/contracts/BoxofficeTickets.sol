// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {
    AccessControlDefaultAdminRules
} from "@openzeppelin/contracts/access/extensions/AccessControlDefaultAdminRules.sol";
import {IERC165} from "@openzeppelin/contracts/interfaces/IERC165.sol";
import {IERC4906} from "@openzeppelin/contracts/interfaces/IERC4906.sol";
import {IERC5313} from "@openzeppelin/contracts/interfaces/IERC5313.sol";
import {ERC2981} from "@openzeppelin/contracts/token/common/ERC2981.sol";
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721Orders} from "./ERC721Orders.sol";
import {IBoxofficeTickets} from "./IBoxofficeTickets.sol";
import {IERC5192} from "./IERC5192.sol";
import {IERC7572} from "./IERC7572.sol";

/// @title Event tickets, one token each
/// @notice {ERC721Orders} defines what a ticket is; this contract defines who may do what. Minters mint, burners
/// take back refunded tickets. The admin (`DEFAULT_ADMIN_ROLE`, one account, also the {owner}) grants and revokes
/// both roles, and sets transfers, metadata addresses and royalties.
contract BoxofficeTickets is ERC721Orders, AccessControlDefaultAdminRules, ERC2981, IERC5192, IERC7572 {
    /// @notice The role that may mint orders.
    bytes32 public constant MINTER_ROLE = keccak256("MINTER_ROLE");

    /// @notice The role that may burn refunded tickets.
    bytes32 public constant BURNER_ROLE = keccak256("BURNER_ROLE");

    /// @dev Seconds from offering the admin role to the earliest acceptance. The admin can change it with
    /// {changeDefaultAdminDelay}.
    uint48 private constant INITIAL_ADMIN_DELAY = 1 days;

    /// @dev ERC-4906 declares events only, so its id is given by the standard and not by functions.
    bytes4 private constant ERC4906_INTERFACE_ID = 0x49064906;

    /// @notice Whether holders may transfer their tickets. Minting and burning are always possible.
    bool public transfersAllowed;

    string private _baseTokenURI;

    /// @inheritdoc IERC7572
    string public override contractURI;

    /// @notice A holder, or an account the holder approved, tried to transfer while transfers are refused.
    error TransfersRefused();

    /// @notice A range of token ids ends before it begins.
    error InvalidTokenRange(uint256 fromTokenId, uint256 toTokenId);

    /// @notice Transfers are allowed or refused from now on.
    event TransfersAllowedChanged(bool allowed);

    /// @notice The royalty of all tickets has changed.
    event DefaultRoyaltyChanged(address receiver, uint96 basisPoints);

    /// @param name_ The collection's name.
    /// @param symbol_ The collection's symbol.
    /// @param baseTokenURI What stands before the id in every token's URI; empty for no URIs.
    /// @param transfersAllowed_ Whether holders may transfer their tickets, until the admin changes it.
    /// @param admin The first admin. The zero address reverts with `AccessControlInvalidDefaultAdmin`.
    /// @param minters The first minters; may be empty.
    /// @param burners The first burners; may be empty.
    /// @param contractURI_ Where the collection's metadata is; empty for none.
    constructor(
        string memory name_,
        string memory symbol_,
        string memory baseTokenURI,
        bool transfersAllowed_,
        address admin,
        address[] memory minters,
        address[] memory burners,
        string memory contractURI_
    ) ERC721(name_, symbol_) AccessControlDefaultAdminRules(INITIAL_ADMIN_DELAY, admin) {
        _baseTokenURI = baseTokenURI;
        contractURI = contractURI_;
        transfersAllowed = transfersAllowed_;
        for (uint256 index = 0; index < minters.length; ++index) {
            _grantRole(MINTER_ROLE, minters[index]);
        }
        for (uint256 index = 0; index < burners.length; ++index) {
            _grantRole(BURNER_ROLE, burners[index]);
        }
    }

    /// @inheritdoc IBoxofficeTickets
    function mintOrder(bytes32 orderKey, address to, uint256 quantity) external onlyRole(MINTER_ROLE) {
        _mintOrder(orderKey, to, quantity);
    }

    /// @inheritdoc IBoxofficeTickets
    function mintOrders(Order[] calldata orders) external onlyRole(MINTER_ROLE) {
        for (uint256 index = 0; index < orders.length; ++index) {
            _mintOrder(orders[index].orderKey, orders[index].to, orders[index].quantity);
        }
    }

    /// @inheritdoc IBoxofficeTickets
    function burn(address holder, uint256[] calldata tokenIds) external {
        if (!hasRole(BURNER_ROLE, msg.sender)) _checkRole(DEFAULT_ADMIN_ROLE);
        if (holder == address(0)) revert ERC721InvalidOwner(address(0));

        for (uint256 index = 0; index < tokenIds.length; ++index) {
            if (_ownerOf(tokenIds[index]) == holder) _burn(tokenIds[index]);
        }
    }

    /// @notice Allows or refuses transfers of all tickets, minted and to come. Only for the admin.
    /// ERC-5192 has no event for all tokens at once: {announceLocks} emits its events for chosen tokens.
    function setTransfersAllowed(bool allowed) external onlyRole(DEFAULT_ADMIN_ROLE) {
        transfersAllowed = allowed;
        emit TransfersAllowedChanged(allowed);
    }

    /// @inheritdoc IERC5192
    /// @dev Follows {transfersAllowed}, so it is the same for all tickets. Minting does not emit {Locked}: at
    /// about 1,000 gas a ticket it would raise the cost of large orders by half.
    function locked(uint256 tokenId) external view returns (bool) {
        _requireOwned(tokenId);
        return !transfersAllowed;
    }

    /// @notice Emits the ERC-5192 event of the present state for each of these tickets, for indexers that follow
    /// events alone. Only for the admin. Reverts when one of them does not exist.
    function announceLocks(uint256[] calldata tokenIds) external onlyRole(DEFAULT_ADMIN_ROLE) {
        bool allowed = transfersAllowed;
        for (uint256 index = 0; index < tokenIds.length; ++index) {
            _requireOwned(tokenIds[index]);
            if (allowed) emit Unlocked(tokenIds[index]);
            else emit Locked(tokenIds[index]);
        }
    }

    /// @notice Changes what stands before the id in every token's URI. Only for the admin.
    /// Emits the ERC-4906 event that makes marketplaces and wallets read all metadata again.
    function setBaseTokenURI(string calldata baseTokenURI) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _baseTokenURI = baseTokenURI;
        emit IERC4906.BatchMetadataUpdate(0, type(uint256).max);
    }

    /// @notice Emits the ERC-4906 event that makes marketplaces and wallets read the metadata of these tokens
    /// again, because what their URIs return has changed. Only for the admin.
    /// @param fromTokenId The first id.
    /// @param toTokenId The last id. Before `fromTokenId` it reverts with `InvalidTokenRange`.
    function refreshMetadata(
        uint256 fromTokenId,
        uint256 toTokenId
    ) external onlyRole(DEFAULT_ADMIN_ROLE) {
        if (toTokenId < fromTokenId) revert InvalidTokenRange(fromTokenId, toTokenId);
        if (fromTokenId == toTokenId) emit IERC4906.MetadataUpdate(fromTokenId);
        else emit IERC4906.BatchMetadataUpdate(fromTokenId, toTokenId);
    }

    /// @notice Changes where the collection's metadata is. Only for the admin. The same address as before makes
    /// indexers read it again.
    function setContractURI(string calldata contractURI_) external onlyRole(DEFAULT_ADMIN_ROLE) {
        contractURI = contractURI_;
        emit ContractURIUpdated();
    }

    /// @notice Sets the royalty that {royaltyInfo} (ERC-2981) asks of every resale; 0 until then. Only for the
    /// admin. Marketplaces pay it voluntarily.
    /// @param receiver Who receives it. The zero address reverts with `ERC2981InvalidDefaultRoyaltyReceiver`.
    /// @param basisPoints Hundredths of a percent of the price, from 0 to 10,000; more reverts with
    /// `ERC2981InvalidDefaultRoyalty`.
    function setDefaultRoyalty(
        address receiver,
        uint96 basisPoints
    ) external onlyRole(DEFAULT_ADMIN_ROLE) {
        _setDefaultRoyalty(receiver, basisPoints);
        emit DefaultRoyaltyChanged(receiver, basisPoints);
    }

    /// @inheritdoc IERC165
    function supportsInterface(
        bytes4 interfaceId
    ) public view override(ERC721, AccessControlDefaultAdminRules, ERC2981) returns (bool) {
        return
            interfaceId == type(IBoxofficeTickets).interfaceId ||
            interfaceId == ERC4906_INTERFACE_ID ||
            interfaceId == type(IERC5192).interfaceId ||
            interfaceId == type(IERC5313).interfaceId ||
            interfaceId == type(IERC7572).interfaceId ||
            super.supportsInterface(interfaceId);
    }

    function _baseURI() internal view override returns (string memory) {
        return _baseTokenURI;
    }

    /// @dev Refuses transfers between holders while they are not allowed.
    function _update(address to, uint256 tokenId, address auth) internal override returns (address) {
        if (to != address(0) && !transfersAllowed) revert TransfersRefused();
        return super._update(to, tokenId, auth);
    }
}
